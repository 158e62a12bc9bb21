import { KaptureError } from "../basics/errors.js";
/** @import { Handler } from "../tab/executor.js" */

/** @type {Handler} */
async function resize({ width, height, deviceScaleFactor }, run) {
  if (!width !== !height)
    throw new KaptureError(
      "INVALID_PARAMS",
      `resize: ${width} × ${height} is not a size`,
      "give both, or 0 and 0 for the window's own",
    );
  const size = width ? { width, height, deviceScaleFactor: deviceScaleFactor ?? 0, mobile: false } : null;
  const before = await run.page("viewport");
  await run.emulation.resize(run, size);
  await run.frame();
  const { width: innerWidth, height: innerHeight, devicePixelRatio } = await run.page("viewport");
  run.facts.hasChanged =
    before.width !== innerWidth || before.height !== innerHeight || before.devicePixelRatio !== devicePixelRatio;
  run.facts.readBack = !size || (innerWidth === width && innerHeight === height);
  return { innerWidth, innerHeight, devicePixelRatio };
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_resize: resize };
