import type { RequestEvent } from '@sveltejs/kit'

const YEAR_SECONDS = 31_536_000

/** Keeps a reader's choice of how the site looks or speaks, on this device. */
export const keepChoice = ({ cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>, name: string, value: string): void =>
  cookies.set(name, value, { path: '/', sameSite: 'lax', secure: url.protocol === 'https:', maxAge: YEAR_SECONDS })
