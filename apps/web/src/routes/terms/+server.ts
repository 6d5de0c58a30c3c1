import { redirect } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

/** Where people look for the terms, which are one of the guides. */
export const GET: RequestHandler = () => redirect(308, '/docs/terms')
