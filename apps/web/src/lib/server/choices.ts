import type { RequestEvent } from '@sveltejs/kit'

const YEAR_SECONDS = 31_536_000

/** Stores a reader's preference of appearance or language in a cookie. */
export const keepChoice = ({ cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>, name: string, value: string): void =>
  cookies.set(name, value, { path: '/', sameSite: 'lax', secure: url.protocol === 'https:', maxAge: YEAR_SECONDS })
