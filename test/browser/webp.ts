import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** A picture of the screen, as PNG, and how long it stands. */
export interface Frame {
  readonly png: Buffer;
  readonly ms: number;
}

/** Part of a picture that changed, as WebP. Positions are even, as the format requires. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly webp: string;
}

const PLAYS = 3;
/** Quality of still and of moving pictures; the latter are in the package and shown briefly. */
const [STILL, MOVING] = [0.6, 0.25];

/** Runs in the page: the rectangle in which each picture differs from the one before it, as a Part. */
const ENCODE_CHANGES = `async (pngs, quality) => {
  const parts = [];
  let before;
  for (const png of pngs) {
    const bytes = Uint8Array.from(atob(png), (it) => it.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = bitmap;
    const drawing = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    drawing.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(drawing.getImageData(0, 0, width, height).data.buffer);
    let [left, top, right, bottom] = before === undefined ? [0, 0, width, height] : [width, height, 0, 0];
    for (let at = 0; before !== undefined && at < pixels.length; at++) {
      if (pixels[at] === before[at]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
    if (right === 0) [left, top, right, bottom] = [0, 0, 2, 2];
    [left, top] = [left - (left % 2), top - (top % 2)];
    const piece = new OffscreenCanvas(right - left, bottom - top);
    piece.getContext("2d", { alpha: false }).drawImage(bitmap, -left, -top);
    const webp = new Uint8Array(await (await piece.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
    const text = Array.from(webp, (it) => String.fromCharCode(it)).join("");
    parts.push({ x: left, y: top, width: right - left, height: bottom - top, webp: btoa(text) });
    before = pixels;
  }
  return parts;
}`;

/** A picture as WebP: letters stay sharp, and it takes a third of a PNG. */
export async function encodePicture(page: Page, png: Buffer): Promise<Buffer> {
  const [part] = await changedParts(page, [png], STILL);
  assert.ok(part);
  return Buffer.from(part.webp, "base64");
}

/** Frames as one animated WebP, which plays a few times: of each frame only what changed. */
export async function animate(page: Page, frames: readonly Frame[]): Promise<Buffer> {
  const parts = await changedParts(
    page,
    frames.map(({ png }) => png),
    MOVING,
  );
  const [whole] = parts;
  assert.ok(whole);
  const head = Buffer.alloc(10);
  head.writeUInt8(0b10, 0);
  head.writeUIntLE(whole.width - 1, 4, 3);
  head.writeUIntLE(whole.height - 1, 7, 3);
  const plays = Buffer.alloc(6);
  plays.writeUInt16LE(PLAYS, 4);
  const shown = parts.map((part, at) => chunk("ANMF", frameData(part, frames[at]?.ms ?? 0)));
  const body = Buffer.concat([Buffer.from("WEBP"), chunk("VP8X", head), chunk("ANIM", plays), ...shown]);
  return chunk("RIFF", body);
}

function frameData({ x, y, width, height, webp }: Part, ms: number): Buffer {
  const head = Buffer.alloc(16);
  for (const [at, value] of [x / 2, y / 2, width - 1, height - 1, ms].entries()) head.writeUIntLE(value, at * 3, 3);
  // No blending: the part takes the place of what was there.
  head.writeUInt8(0b10, 15);
  return Buffer.concat([head, bitstream(Buffer.from(webp, "base64"))]);
}

/** The chunk of a still picture that holds its pixels. */
function bitstream(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (/^VP8[L ]$/.test(webp.toString("latin1", at, at + 4))) return webp.subarray(at, end + (end % 2));
    at = end + (end % 2);
  }
  throw new Error("The browser wrote no picture.");
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** In a page of its own: that of the workbench allows no picture from elsewhere. */
async function changedParts(page: Page, pngs: readonly Buffer[], quality: number): Promise<readonly Part[]> {
  const studio = await page.context().newPage();
  try {
    const inputs = JSON.stringify(pngs.map((it) => it.toString("base64")));
    return await studio.evaluate<readonly Part[]>(`(${ENCODE_CHANGES})(${inputs}, ${quality})`);
  } finally {
    await studio.close();
  }
}
