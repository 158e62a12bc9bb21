/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * A part of a picture, in another size. Chrome could take it so, but would show the page so in its window for a moment.
 * @param {string} data the whole picture in Base64
 * @param {object} wanted
 * @param {number} wanted.wide how wide the whole is in the measure of `part`
 * @param {Box} wanted.part
 * @param {{width: number, height: number}} wanted.size of the part, in pixels
 * @param {"png"|"jpeg"|"webp"} wanted.from the format of the whole
 * @param {"png"|"jpeg"|"webp"} wanted.format the one to come
 * @param {number} [wanted.quality] 1 to 100, for jpeg and webp
 * @returns {Promise<string>} in Base64
 */
export async function partOf(data, { wide, part, size, from, format, quality }) {
  const whole = await createImageBitmap(await (await fetch(`data:image/${from};base64,${data}`)).blob());
  try {
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(size.width)), Math.max(1, Math.round(size.height)));
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const ratio = whole.width / wide;
    context.imageSmoothingQuality = "high";
    const [x, y, width, height] = [part.x, part.y, part.width, part.height].map((side) => side * ratio);
    context.drawImage(whole, x, y, width, height, 0, 0, canvas.width, canvas.height);
    const made = await canvas.convertToBlob({ type: `image/${format}`, ...(quality && { quality: quality / 100 }) });
    return await base64(made);
  } finally {
    whole.close();
  }
}

/** @param {Blob} blob */
async function base64(blob) {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers();
  reader.onload = resolve;
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  await promise;
  const address = /** @type {string} */ (reader.result);
  return address.slice(address.indexOf(",") + 1);
}
