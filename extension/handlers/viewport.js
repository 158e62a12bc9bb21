import { KaptureError } from "../basics/errors.js";

async function resize({ width, height, deviceScaleFactor }, run) {
  if (!width !== !height)
    throw new KaptureError("INVALID_PARAMS", `resize: ${width} × ${height} is no size; give both, or 0 and 0 for the window's own`);
  const { viewport } = run.session;
  const size = width ? { width, height, deviceScaleFactor: deviceScaleFactor ?? 0, mobile: false } : null;
  if (size) await run.send("Emulation.setDeviceMetricsOverride", size);
  else if (viewport) await run.send("Emulation.setDeviceMetricsOverride", viewport);
  else await run.send("Emulation.clearDeviceMetricsOverride");
  await run.session.resized(size);
  await run.frame();
  const { width: innerWidth, height: innerHeight, devicePixelRatio } = await run.page("viewport");
  return { innerWidth, innerHeight, devicePixelRatio };
}

export const handlers = { kapturemcp_resize: resize };
