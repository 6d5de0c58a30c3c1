/** Largest file that is uploaded, in bytes. */
export const LARGEST = 2 * 1024 * 1024

/** Returns a file in base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/**
 * Returns the square of an image that three sliders (percent) choose: its corner as shares of width and height, its side as a share of the
 * shorter one and in pixels.
 */
export function cropOf(
  { width, height }: { width: number; height: number },
  { across, down, zoom }: { across: number; down: number; zoom: number },
): { x: number; y: number; side: number; pixels: number } {
  const side = zoom / 100
  const pixels = Math.min(width, height) * side
  return { x: ((width - pixels) / width) * (across / 100), y: ((height - pixels) / height) * (down / 100), side, pixels }
}
