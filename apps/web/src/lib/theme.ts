/** What a person chose under Appearance: the theme, the colours of the two sides, and how close rows stand. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]
export const SIDES = ['default', 'blue-orange', 'swapped'] as const
export type Sides = (typeof SIDES)[number]
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** The choices as a page is drawn by them. */
export interface Look {
  theme: Theme
  sides: Sides
  density: Density
}

/** The cookies that keep the choices. */
export const THEME_COOKIE = 'theme'
export const SIDES_COOKIE = 'sides'
export const DENSITY_COOKIE = 'density'

/** Reads a choice from a cookie or a form; anything else is the first there is. */
export const readTheme = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? 'system'
export const readSides = (value: unknown): Sides => SIDES.find((sides) => sides === value) ?? 'default'
export const readDensity = (value: unknown): Density => DENSITIES.find((density) => density === value) ?? 'comfortable'
