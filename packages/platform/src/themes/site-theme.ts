import { tables } from '@augury/domain/platform/tables'
import { THEME_COLOURS, type ThemeTokens, themePresets } from '@augury/wire/platform/theme'
import type { Platform } from '../site/platform.ts'

/** The look of a site. */
export interface ActiveTheme {
  /** 0 while none was published. */
  version: number
  name: string
  tokens: ThemeTokens
}

/** The theme in effect now, whichever process published it. */
export async function activeTheme(platform: Platform): Promise<ActiveTheme> {
  const row = await tables(platform.em())
    .selectFrom('theme')
    .select(['version', 'name', 'tokens'])
    .where('activated_at', 'is not', null)
    .orderBy('activated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row
    ? { version: row.version!, name: row.name, tokens: row.tokens as unknown as ThemeTokens }
    : { version: 0, name: 'Default', tokens: themePresets.default }
}

/** Share of a side's colour mixed into a tinted surface and into a bar, in light and in dark mode. */
const MIXES = [
  ['yes-tint', 'yes', 10, 16],
  ['no-tint', 'no', 10, 16],
  ['brand-tint', 'brand', 10, 16],
  ['yes-bar', 'yes', 14, 20],
  ['no-bar', 'no', 14, 20],
] as const

/** A theme as the CSS rule that is put into pages, for the same elements as the site's own tokens: custom properties and nothing else. Colours must be hex. */
export function themeCss({ light, dark, radius }: ThemeTokens): string {
  const colours = THEME_COLOURS.map((name) => [name, light[name as keyof typeof light], dark[name as keyof typeof dark]] as const)
  const mixes = MIXES.map(([name, from, inLight, inDark]) => [name, mix(light[from], inLight), mix(dark[from], inDark)] as const)
  const pairs = [...colours, ...mixes].map(([name, a, b]) => `--${name}:light-dark(${a},${b})`)
  const corners = {
    radius,
    'radius-control': Math.round(radius * 0.75),
    'radius-card': Math.round(radius * 1.25),
    'radius-sheet': radius * 2,
  }
  return `:root,[data-scheme]{${[...pairs, ...Object.entries(corners).map(([name, pixels]) => `--${name}:${pixels}px`)].join(';')}}`
}

const mix = (colour: string, share: number) => `color-mix(in srgb,${colour} ${share}%,transparent)`
