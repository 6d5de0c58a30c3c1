import { currentWindow } from '@augury/platform/series/current-window'
import { redirect } from '@sveltejs/kit'
import { localePath, splitLocale } from '#lib/language/locale.ts'
import type { PageServerLoad } from './$types'

/** Permanent URL of a series: redirects to its current window. */
export const load: PageServerLoad = async ({ locals: { platform }, params: { slug }, url }) => {
  const path = `/event/${await currentWindow(platform, { slug })}`
  const { locale } = splitLocale(url.pathname)
  redirect(307, locale === null ? path : localePath(locale, path))
}
