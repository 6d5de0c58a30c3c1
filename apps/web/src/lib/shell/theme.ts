/** Preferences of the page Appearance: theme, colours of the sides, density, and single-key shortcuts. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]
export const SIDES = ['default', 'blue-orange', 'swapped'] as const
export type Sides = (typeof SIDES)[number]
const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]
/** Whether single-key shortcuts work. */
export const KEYS = ['on', 'off'] as const
export type Keys = (typeof KEYS)[number]
/** Layouts of an event page. */
const MODES = ['reading', 'trading'] as const
export type Mode = (typeof MODES)[number]

/** The preferences applied to a page. */
export interface Look {
  theme: Theme
  sides: Sides
  density: Density
  keys: Keys
}

/** Cookies of the preferences. */
export const THEME_COOKIE = 'theme'
export const SIDES_COOKIE = 'sides'
export const DENSITY_COOKIE = 'density'
export const KEYS_COOKIE = 'keys'
export const MODE_COOKIE = 'mode'

/** Parse a preference of a cookie or form; anything invalid means the first value. */
export const readTheme = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? 'system'
export const readSides = (value: unknown): Sides => SIDES.find((sides) => sides === value) ?? 'default'
export const readDensity = (value: unknown): Density => DENSITIES.find((density) => density === value) ?? 'comfortable'
export const readKeys = (value: unknown): Keys => KEYS.find((keys) => keys === value) ?? 'on'
/** Parses a layout mode of a cookie or URL; null if invalid. */
export const readMode = (value: unknown): Mode | null => MODES.find((mode) => mode === value) ?? null
