// A classic script: its declarations belong to the page.
const injectedConst = 41;
function injectedFunction() {
  return injectedConst + 1;
}
globalThis.injectedTimes = (globalThis.injectedTimes ?? 0) + 1;
document.documentElement?.setAttribute("data-injected", location.pathname);
injectedFunction();
