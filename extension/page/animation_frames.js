// The page's next frames, as far as it draws any.

/** Resolves after two frames: then input goes where the page shows it. */
export const twoFrames = async () => {
  await nextFrame();
  await nextFrame();
};

const FRAME_DEADLINE_MS = 250;

/**
 * The next frame; a page that draws none (hidden, minimised) is not waited for beyond the deadline.
 * @returns {Promise<void>}
 */
export const nextFrame = () =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_DEADLINE_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
