import { KaptureError } from "../lib/errors.js";

async function resize({ width, height, deviceScaleFactor }, run) {
  if (!width !== !height)
    throw new KaptureError("INVALID_PARAMS", `resize: ${width} × ${height} is no size; give both, or 0 and 0 for the window's own`);
  const { viewport } = run.session;
  if (width) await run.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: deviceScaleFactor ?? 0, mobile: false });
  else if (viewport) await run.send("Emulation.setDeviceMetricsOverride", viewport);
  else await run.send("Emulation.clearDeviceMetricsOverride");
  await run.frame();
  const { width: innerWidth, height: innerHeight, devicePixelRatio } = await run.page("viewport");
  return { innerWidth, innerHeight, devicePixelRatio };
}

export const handlers = { kapturemcp_resize: resize };
