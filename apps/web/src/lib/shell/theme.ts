/** What a person chose under Appearance: the theme, the colours of the two sides, how close rows stand, and whether single keys work. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]
export const SIDES = ['default', 'blue-orange', 'swapped'] as const
export type Sides = (typeof SIDES)[number]
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]
/** Whether keys mean something by themselves. */
export const KEYS = ['on', 'off'] as const
export type Keys = (typeof KEYS)[number]
/** How an event's page is laid out: to be read, or to trade. */
export const MODES = ['reading', 'trading'] as const
export type Mode = (typeof MODES)[number]

/** The choices as a page is drawn by them. */
export interface Look {
  theme: Theme
  sides: Sides
  density: Density
  keys: Keys
}

/** The cookies that keep the choices. */
export const THEME_COOKIE = 'theme'
export const SIDES_COOKIE = 'sides'
export const DENSITY_COOKIE = 'density'
export const KEYS_COOKIE = 'keys'
export const MODE_COOKIE = 'mode'

/** Reads a choice from a cookie or a form; anything else is the first there is. */
export const readTheme = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? 'system'
export const readSides = (value: unknown): Sides => SIDES.find((sides) => sides === value) ?? 'default'
export const readDensity = (value: unknown): Density => DENSITIES.find((density) => density === value) ?? 'comfortable'
export const readKeys = (value: unknown): Keys => KEYS.find((keys) => keys === value) ?? 'on'
/** Reads a mode from a cookie or an address; null when neither names one. */
export const readMode = (value: unknown): Mode | null => MODES.find((mode) => mode === value) ?? null
