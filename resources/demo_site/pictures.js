/* Shapes in a box of 120 × 84; "soft" is lighter, "line" is a stroke, "paper" is a light detail. */
const shapes = {
  lamp: '<path d="M46 14h28l12 28H34z"/><path class="soft" d="M58 42h4v22h-4zM46 64h28v5H46z"/>',
  mug: '<rect x="40" y="22" width="34" height="44" rx="5"/><path class="soft line" d="M76 32h4a10 10 0 0 1 0 22h-4"/>',
  cup: '<path d="M44 22h32l-4 48H48z"/><path class="soft" d="M42 14h36v7H42z"/><path class="paper" d="M46 38h28l-1 12H47z"/>',
  notebook: '<rect x="40" y="14" width="42" height="56" rx="3"/><path class="paper" d="M50 26h24v4H50zM50 36h16v4H50z"/><path class="soft" d="M35 14h5v56h-5z"/>',
  planter: '<path d="M44 46h32l-5 24H49z"/><path class="soft" d="M60 46c-18-2-22-14-22-26 16 2 22 12 22 26zM62 46c0-14 6-26 20-30 2 16-4 28-20 30z"/>',
  cushion: '<path d="M36 18q24 7 48 0-7 24 0 48-24-7-48 0 7-24 0-48z"/><path class="paper" d="M46 40h28v4H46z"/>',
  bag: '<rect x="38" y="30" width="44" height="40" rx="6"/><path class="soft line" d="M49 29v-4q0-8 11-8t11 8v4"/><path class="paper" d="M46 50h28v4H46z"/>',
  knife: '<path class="soft" d="M14 36h58v16H26q-12-4-12-16z"/><path d="M74 35h32q4 0 4 5t-4 5H74z"/>',
  pencil: '<path d="M38 14h44v10L74 70H46l-8-46z" class="soft"/><path d="M46 10h6v38h-6zM57 6h6v42h-6zM68 10h6v38h-6z"/>',
  can: '<path d="M48 30h38v40H48z"/><path class="soft line" d="M52 29q14-26 30 0M47 60 24 28"/><path class="soft" d="m16 29 12-8 3 5-12 8z"/>',
  throw: '<path d="M34 16h52v44H34z"/><path class="soft" d="M34 60h4v10h-4zM44 60h4v10h-4zM54 60h4v10h-4zM64 60h4v10h-4zM74 60h4v10h-4zM82 60h4v10h-4z"/><path class="paper" d="M34 26h52v3H34zM34 34h52v3H34z"/>',
  pot: '<path d="M42 32h34q10 34-8 38H50q-18-4-8-38z"/><path class="soft line" d="M41 42q-14 0-12 10t14 8M79 58l14-20"/><path class="soft" d="M46 25h26v5H46zM56 18h6v6h-6z"/>',
  tray: '<path d="M30 28h60v10H30zM30 56h60v10H30z"/><path class="soft" d="M32 38h4v18h-4zM84 38h4v18h-4z"/><path class="paper" d="M40 20h40v8H40z"/>',
  glove: '<path d="M44 56V28q0-5 4-5t4 5V18q0-5 4-5t4 5v-2q0-5 4-5t4 5v6q0-4 4-4t4 4v34z"/><path d="M44 48 34 38q-4-5 0-7t6 2l6 7z"/><path class="soft" d="M44 58h32v12H44z"/>',
  mat: '<path d="M24 30h72v32H24z"/><path class="soft" d="M18 30h4v32h-4zM98 30h4v32h-4z"/><path class="paper" d="M34 40h52v4H34zM34 49h36v4H34z"/>',
  plug: '<rect x="42" y="30" width="36" height="40" rx="8"/><path class="soft" d="M50 14h5v15h-5zM65 14h5v15h-5z"/><circle class="paper" cx="60" cy="50" r="9"/>',
  board: '<rect x="30" y="20" width="60" height="44" rx="6"/><rect class="paper" x="77" y="36" width="6" height="12" rx="3"/><path class="soft" d="M90 34h10v16H90z"/>',
  clock: '<circle cx="60" cy="40" r="28"/><circle class="paper" cx="60" cy="40" r="22"/><path d="M58 24h4v16l10 8-3 3-11-9z"/><path class="soft" d="M44 64h8l-4 8h-6zM68 64h8l2 8h-6z"/>',
  feeder: '<path d="M40 26 60 8l20 18z"/><path class="soft" d="M46 28h28v34H46z"/><path d="M38 62h44v6H38zM40 46h40v3H40z"/>',
};

/** An inline SVG for a product of products.json. */
export function picture({ shape, colour }) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg class="picture" viewBox="0 0 120 84" aria-hidden="true" fill="${colour}" color="${colour}">${shapes[shape]}</svg>`;
  return holder.content.firstElementChild;
}
