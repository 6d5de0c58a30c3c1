import { redirect } from '@sveltejs/kit'
import { LOCALE_COOKIE, readLocale } from '#lib/language/locale.ts'
import { keepChoice } from '#lib/server/choices.ts'
import { wayBack } from '#lib/server/way-back.ts'
import { DENSITY_COOKIE, KEYS_COOKIE, readDensity, readKeys, readSides, readTheme, SIDES_COOKIE, THEME_COOKIE } from '#lib/shell/theme.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = () => redirect(303, '/')

/** Stores preferences of appearance and language, and redirects back to the page without a language in its URL. */
export const actions: Actions = {
  default: async (event) => {
    const { request, url } = event
    const form = await request.formData()
    if (form.has('theme')) keepChoice(event, THEME_COOKIE, readTheme(form.get('theme')))
    if (form.has('sides')) keepChoice(event, SIDES_COOKIE, readSides(form.get('sides')))
    if (form.has('density')) keepChoice(event, DENSITY_COOKIE, readDensity(form.get('density')))
    if (form.has('keys')) keepChoice(event, KEYS_COOKIE, readKeys(form.get('keys')))
    const locale = readLocale(form.get('locale'))
    if (locale !== null) keepChoice(event, LOCALE_COOKIE, locale)
    redirect(303, wayBack(request, url, '/'))
  },
}
