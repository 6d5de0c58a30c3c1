import { redirect } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

/** Redirects to the terms, which are one of the guides. */
export const GET: RequestHandler = () => redirect(308, '/docs/terms')
