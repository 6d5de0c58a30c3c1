import type { DraftContent } from '@augury/wire/platform/draft'
import { RequestName } from '#lib/failure/request-name.ts'
import { siteMutation } from '#lib/failure/site-call.ts'
import { goto } from '$app/navigation'
import type { AdminAction } from './admin-action.svelte.ts'

/** Returns what starts a draft with some content and opens it. A lost answer leaves no second draft behind. */
export function draftStarter(adminAction: AdminAction): (content: Partial<DraftContent>) => Promise<boolean> {
  const started = new RequestName()
  return (content) =>
    adminAction.run('No draft was started.', '', async () => {
      const { data: draft } = await siteMutation('adminAddDraft', { body: { content, ref: started.of(JSON.stringify(content))! } })
      started.forget()
      await goto(`/admin/create/${draft.id}`)
    })
}
