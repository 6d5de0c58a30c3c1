import { redirect } from '@sveltejs/kit'
import { readTheme, THEME_COOKIE } from '#lib/theme.ts'
import type { Actions, PageServerLoad } from './$types'

const YEAR_SECONDS = 31_536_000

export const load: PageServerLoad = () => redirect(303, '/')

/** Keeps the choice of the appearance menu, and goes back to where one was. */
export const actions: Actions = {
  default: async ({ cookies, request, url }) => {
    const form = await request.formData()
    cookies.set(THEME_COOKIE, readTheme(form.get('theme')), {
      path: '/',
      sameSite: 'lax',
      secure: url.protocol === 'https:',
      maxAge: YEAR_SECONDS,
    })
    const from = URL.parse(request.headers.get('referer') ?? '', url)
    redirect(303, from?.origin === url.origin ? from.pathname + from.search : '/')
  },
}
