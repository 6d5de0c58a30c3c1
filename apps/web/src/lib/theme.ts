/** What a person chose under Appearance. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** The cookie that keeps the choice. */
export const THEME_COOKIE = 'theme'

/** Reads a choice from a cookie or a form; anything else is "system". */
export const readTheme = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? 'system'
