import { getLocale, type Locale } from '#lib/paraglide/runtime.js'

/** Makes a message function that returns the text in the page's language, or in a given one. */
export const inLocale =
  <Inputs extends object>(texts: Record<Locale, (inputs: Inputs) => string>) =>
  (inputs = {} as Inputs, options: { locale?: Locale } = {}): string =>
    texts[options.locale ?? getLocale()](inputs)
