import type { SiteBrand } from '@augury/platform/themes/site-brand'
import type { WebSettings } from '@augury/settings/env'

/** The relay between a page and a wallet on a phone, and the frame in which WalletConnect proves to the wallet which site is asking. */
const RELAY = 'wss://relay.walletconnect.org'
const VERIFY = 'https://verify.walletconnect.org'

/** The project id of WalletConnect: that of the admin's settings, else that of the environment. Null without either. */
export const walletConnectId = (
  { walletconnectProjectId }: Pick<WebSettings, 'walletconnectProjectId'>,
  { walletConnectId }: Pick<SiteBrand, 'walletConnectId'>,
): string | null => walletConnectId || walletconnectProjectId

/** Allows WalletConnect in the content security policy of a page; without a project id nothing changes. */
export const allowWalletConnect = (policy: string, projectId: string | null): string =>
  projectId === null ? policy : `${policy.replace("connect-src 'self'", `connect-src 'self' ${RELAY}`)}; frame-src ${VERIFY}`
