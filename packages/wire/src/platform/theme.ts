import { z } from 'zod'

/** The colours of a theme, each with a light and a dark value. Components use only these names. */
export const THEME_COLOURS = [
  'bg',
  'surface',
  'surface-2',
  'border',
  'border-strong',
  'text',
  'text-2',
  'text-3',
  'brand',
  'on-brand',
  'yes',
  'on-yes',
  'no',
  'on-no',
  'warn',
  'info',
  'line-1',
  'line-2',
  'line-3',
  'line-4',
] as const
/** Name of a colour of a theme. */
export type ThemeColour =
  | ('bg' | 'surface' | 'surface-2' | 'border' | 'border-strong' | 'text' | 'text-2' | 'text-3' | 'brand' | 'on-brand')
  | ('yes' | 'on-yes' | 'no' | 'on-no' | 'warn' | 'info' | 'line-1' | 'line-2' | 'line-3' | 'line-4')

/** A colour: hex of 3 or 6 digits, or `oklch(L C H)`. Nothing else is accepted, so a theme cannot contain CSS code. */
const colour = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^(#[0-9a-f]{3}|#[0-9a-f]{6}|oklch\( *(0|1|0?\.\d{1,6}|1\.0+|\d{1,3}(\.\d{1,4})?%) +\d?\.?\d{1,6} +\d{1,3}(\.\d{1,4})?(deg)? *\))$/,
    'expected #rrggbb or oklch(L C H)',
  )

const colours = z.strictObject(Object.fromEntries(THEME_COLOURS.map((name) => [name, colour])) as Record<ThemeColour, typeof colour>)

/** The tokens of a theme. */
export const themeTokens = z.strictObject({
  light: colours,
  dark: colours,
  /** Default corner radius in pixels. */
  radius: z.int().min(0).max(20),
})
export type ThemeTokens = z.output<typeof themeTokens>

const list = (text: string) => {
  const values = text.split(' ')
  return Object.fromEntries(THEME_COLOURS.map((name, i) => [name, values[i]!])) as Record<ThemeColour, string>
}

const LINES = { light: '#1d5bd6 #dd6005 #9f347c #543916', dark: '#6ea0ff #61e5f8 #b7aa2d #a84d87' }

/** Preset themes; each passes the contrast checks. */
export const themePresets: Readonly<Record<'default' | 'midnight' | 'paper' | 'contrast', ThemeTokens>> = {
  default: {
    light: list(
      `#f6f7f9 #ffffff #eef1f4 #d8dde4 #7d8897 #10151c #434c59 #5b6573 #1d5bd6 #ffffff #0a7350 #ffffff #c02a45 #ffffff #8a5a00 #0b6a8a ${LINES.light}`,
    ),
    dark: list(
      `#0b0f14 #131920 #1b232c #2a343f #6d7a89 #edf1f5 #b3bdc9 #8f9baa #6ea0ff #08121f #34c491 #04140d #ff7285 #1f0409 #e5b34a #5cc3e6 ${LINES.dark}`,
    ),
    radius: 8,
  },
  midnight: {
    light: list(
      `#f5f4fb #ffffff #ecebf5 #d9d7e8 #807d99 #14122a #454263 #5f5b7d #5b3fd6 #ffffff #0a7350 #ffffff #c02a45 #ffffff #8a5a00 #0b6a8a ${LINES.light}`,
    ),
    dark: list(
      `#08081a #101027 #191936 #2a2a4c #747399 #efeefc #b9b8d6 #9695b8 #a18cff #120a2e #34c491 #04140d #ff7285 #1f0409 #e5b34a #5cc3e6 ${LINES.dark}`,
    ),
    radius: 12,
  },
  paper: {
    light: list(
      `#faf7f0 #fffdf8 #f1ece0 #ddd5c4 #8b826f #221c12 #50473a #695f4f #8f3d14 #ffffff #2c6a3a #ffffff #ac2f3a #ffffff #7d5600 #1f6478 ${LINES.light}`,
    ),
    dark: list(
      `#14110c #1c1812 #26211a #3a3328 #857b6a #f4eee2 #c6bba8 #a69a86 #f0a070 #241003 #7cc98a #07180b #ff8a8a #240606 #e0b45c #7cc4d8 ${LINES.dark}`,
    ),
    radius: 4,
  },
  contrast: {
    light: list(
      `#ffffff #ffffff #f2f2f2 #767676 #4d4d4d #000000 #1f1f1f #333333 #0033aa #ffffff #005a32 #ffffff #9c0020 #ffffff #5c3b00 #00485f ${LINES.light}`,
    ),
    dark: list(
      `#000000 #000000 #141414 #8a8a8a #b8b8b8 #ffffff #ededed #d6d6d6 #9cc2ff #000000 #5ee6b0 #000000 #ff9aa8 #000000 #ffd27a #8fdcf5 #6ea0ff #61e5f8 #d1c445 #d47db6`,
    ),
    radius: 4,
  },
}
