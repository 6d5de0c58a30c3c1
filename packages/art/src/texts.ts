/** Escapes text for XML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const FACE = "Inter,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

/** Returns a text centred on a point. It is squeezed when it would be wider than `most`. */
export function label(text: string, at: { x: number; y: number; size: number; fill: string; most?: number; weight?: number }): string {
  const { x, y, size, fill, most = 52, weight = 700 } = at
  const wide = [...text].reduce(
    (sum, letter) => sum + (/[ilI1.,'|]/.test(letter) ? 0.34 : /[MW@%]/.test(letter) || letter > '\u2e80' ? 0.98 : 0.66),
    0,
  )
  const fitted = Math.min(size, most / Math.max(0.5, wide))
  const spot = `x='${x}' y='${Math.round((y + fitted * 0.36) * 100) / 100}'`
  const font = `font-family="${FACE}" font-weight='${weight}' font-size='${Math.round(fitted * 100) / 100}'`
  return `<text ${spot} ${font} text-anchor='middle' fill='${fill}' direction='ltr'>${escapeXml(text)}</text>`
}
