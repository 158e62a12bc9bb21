// The page's next frames, as far as it draws any.

/** Resolves after two frames: then input goes where the page shows it. */
export const twoFrames = async () => {
  await nextFrame();
  await nextFrame();
};

/** The browser begins the frame after the next while it still paints this one, and no later one. */
const UNTIL_PAINTED = 4;

/** Resolves once what is in view now is painted, at most so many frames later. */
export const drawn = async () => {
  for (let frames = 0; frames < UNTIL_PAINTED && (await nextFrame()); frames += 1);
};

const FRAME_DEADLINE_MS = 250;

/**
 * The next frame; a page that draws none (hidden, minimised) is not waited for beyond the deadline.
 * @returns {Promise<boolean>} whether it was drawn
 */
export const nextFrame = () =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_DEADLINE_MS, false);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
