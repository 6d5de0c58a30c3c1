/** A colour in sRGB, each part 0 … 1. */
export type Rgb = readonly [red: number, green: number, blue: number]
/** Lightness 0 … 1, chroma, hue in degrees. Perceptually uniform: equal steps look equally far apart. */
export interface Oklch {
  l: number
  c: number
  h: number
}

/** Parses `#rgb`, `#rrggbb` or `oklch(L C H)`; chroma outside the sRGB gamut is reduced until it fits. */
export function readColour(text: string): Rgb {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  const hex = short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}` : text
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  if (parts) return [1, 2, 3].map((i) => Number.parseInt(parts[i]!, 16) / 255) as unknown as Rgb
  const lch = /^oklch\( *([\d.]+)(%?) +([\d.]+) +([\d.]+)(deg)? *\)$/i.exec(text)
  if (!lch) throw new RangeError(`not a colour: ${text}`)
  return fromOklch({ l: Math.min(1, Number(lch[1]) / (lch[2] ? 100 : 1)), c: Number(lch[3]), h: Number(lch[4]) })
}

/** `#rrggbb`. */
export const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const gamma = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

/** Relative luminance by WCAG. */
const luminance = (rgb: Rgb): number => 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])

/** Contrast of two colours by WCAG, 1 … 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** To OKLCH, by Ottosson's matrices. */
export function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map(linear) as [number, number, number]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
  const bb = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
  return { l, c: Math.hypot(a, bb), h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360 }
}

/** From OKLCH, with as much of its chroma as sRGB can show: none for black and white. */
export function fromOklch({ l, c, h }: Oklch): Rgb {
  if (l <= 0) return [0, 0, 0]
  if (l >= 1) return [1, 1, 1]
  let [low, high] = [0, c]
  if (isShown(unclamped(l, c, h))) low = c
  else
    for (let i = 0; i < 16; i++) {
      const middle = (low + high) / 2
      if (isShown(unclamped(l, middle, h))) low = middle
      else high = middle
    }
  return unclamped(l, low, h).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb
}

const isShown = (rgb: readonly number[]): boolean => rgb.every((part) => part >= -0.0005 && part <= 1.0005)

function unclamped(l: number, c: number, h: number): number[] {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((part) => (part < 0 ? part : gamma(part)))
}
