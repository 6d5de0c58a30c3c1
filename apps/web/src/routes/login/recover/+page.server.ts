import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { site } }) => ({ emails: site.mailer !== null })
