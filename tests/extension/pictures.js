/** What a worker draws pictures with, which Node has not: what was drawn is what its picture says, as JSON. */

class Canvas {
  constructor(width, height) {
    Object.assign(this, { width, height });
  }

  getContext() {
    return {
      drawImage: ({ data }, ...numbers) => {
        this.drawn = { data, numbers };
      },
    };
  }

  async convertToBlob(how) {
    return new Blob([JSON.stringify({ ...this.drawn, ...how })]);
  }
}

class Reader {
  readAsDataURL(blob) {
    void blob.arrayBuffer().then((bytes) => {
      this.result = `data:;base64,${Buffer.from(bytes).toString("base64")}`;
      this.onload();
    });
  }
}

/** Every picture has this many pixels from now on. */
export function picturesAre(width, height) {
  Object.assign(globalThis, {
    OffscreenCanvas: Canvas,
    FileReader: Reader,
    createImageBitmap: async (blob) => ({ width, height, data: await blob.text(), close() {} }),
  });
}

/** What a picture was made of: {data, numbers, type, quality}; `numbers` as drawImage takes them. */
export const madeOf = (data) => JSON.parse(Buffer.from(data, "base64").toString());
