import type { Reroute } from '@sveltejs/kit/hooks'
import { splitLocale } from '#lib/language/locale.ts'

/** Maps "/es/event/x" to the page "/event/x", in Spanish. */
export const reroute: Reroute = ({ url }) => splitLocale(url.pathname).path
