import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import { platformPageQueries } from '@augury/wire/platform/page-queries'
import { changeEmail } from './account/change-email.ts'
import { changeUsername } from './account/change-username.ts'
import { getPreferences, limitOrders, muteNotifications, takeBreak } from './account/preferences.ts'
import { searchUsers } from './account/search-users.ts'
import { confirmEmail, sendEmailVerification } from './account/verify-email.ts'
import { eventActivity } from './activity/event-activity.ts'
import { listHolders } from './activity/list-holders.ts'
import { adminUseCases } from './admin/operations.ts'
import { affiliateInfo } from './affiliates/affiliate-info.ts'
import { affiliateStatement } from './affiliates/statement.ts'
import type { UseCases } from './authorization/use-cases.ts'
import { getChain } from './chain/status.ts'
import { listLatestComments } from './comments/list-latest-comments.ts'
import { addComment, deleteComment, likeComment, listComments, reportComment } from './comments/manage-comments.ts'
import { marketContexts } from './creation/market-context.ts'
import { chanceLines } from './events/chance-lines.ts'
import { eventBySlug } from './events/event-by-slug.ts'
import { listEvents } from './events/list-events.ts'
import { mainTags } from './events/main-tags.ts'
import { addBookmark, removeBookmark } from './events/manage-bookmarks.ts'
import { marketMetadata } from './events/market-metadata.ts'
import { marketsStatus } from './events/markets-status.ts'
import { relatedEvents } from './events/related-events.ts'
import { endSessions, getSession, listSessions, signOut } from './identity/manage-sessions.ts'
import { confirmTwoFactor, disableTwoFactor, enrollTwoFactor } from './identity/manage-two-factor.ts'
import { issueNonce, signIn } from './identity/sign-in.ts'
import { verifyTotp } from './identity/verify-totp.ts'
import { markAllNotifications, markNotification, readNotifications } from './inbox/manage-notifications.ts'
import { askApproval } from './passkeys/ask-approval.ts'
import { emailRecoveryCode } from './passkeys/email-recovery.ts'
import { linkWallet, unlinkWallet } from './passkeys/link-wallet.ts'
import { addPasskey, removePasskey, renamePasskey, renewAccountCodes } from './passkeys/manage-passkeys.ts'
import { passkeyOptions } from './passkeys/options.ts'
import { recoverAccount } from './passkeys/recover.ts'
import { passkeySignIn } from './passkeys/sign-in.ts'
import { passkeySignUp } from './passkeys/sign-up.ts'
import { listWaysIn } from './passkeys/ways-in.ts'
import { cancelAllOrders, claimPositions, convertPosition, mergePosition, splitPosition } from './portfolio/change-positions.ts'
import { getDepositAddress, listDeposits } from './portfolio/deposits.ts'
import { getExitFile } from './portfolio/exit-file.ts'
import { takeFromFaucet } from './portfolio/faucet.ts'
import { getFunds, getOwnProof, listOwnActivity, listPositions } from './portfolio/funds.ts'
import { liveSeries } from './prices/live-series.ts'
import { seriesOfEvent } from './prices/series-of-event.ts'
import { getProxyWallet, signProxyWallet } from './proxy-wallet/manage-proxy-wallet.ts'
import { resolutionHistory } from './resolution/history.ts'
import { quoteSwap, swapOffer } from './swap/quote-swap.ts'
import { runSync } from './sync/run-sync.ts'
import { listApiKeys } from './trading/api-keys.ts'
import { changeOrder, orderToChange } from './trading/change-order.ts'
import { enableTrading } from './trading/enable-trading.ts'
import { deleteTradingCredentials, getTradingCredentials, saveTradingCredentials } from './trading/manage-credentials.ts'
import { listEventOpenOrders, listOpenOrders } from './trading/open-orders.ts'
import { cancelOrder, placeOrder } from './trading/place-orders.ts'
import { cancelWithdrawal, listWithdrawals, requestWithdrawal } from './withdrawals/request-withdrawal.ts'

/** All operations of a deployment: its routes, and the queries of its own pages. */
export const deploymentOperations = { ...platformOperations, ...platformPageQueries, ...adminOperations }

/** Every use case of the deployment by the name of its operation. */
export const useCases: UseCases<typeof deploymentOperations> = {
  ...adminUseCases,
  listEvents,
  marketMetadata: (platform, _viewer, input) => marketMetadata(platform, input),
  relatedEvents: (platform, _viewer, input) => relatedEvents(platform, input),
  marketsStatus: (platform, _viewer, { query }) => marketsStatus(platform, query.conditionIds),
  marketsStatusBatch: (platform, _viewer, { body }) => marketsStatus(platform, body.conditionIds),
  eventBySlug: (platform, viewer, { query }) => eventBySlug(platform, viewer, query),
  mainTags: (platform, _viewer, { query }) => mainTags(platform, query),
  marketContexts: (platform, _viewer, { query }) => marketContexts(platform, query),
  chanceLines: (platform, _viewer, { query }) => chanceLines(platform, query),
  issueNonce,
  signIn,
  verifyTotp,
  passkeyOptions,
  passkeySignUp,
  passkeySignIn,
  recoverAccount,
  emailRecoveryCode,
  askApproval,
  listWaysIn,
  addPasskey,
  renamePasskey,
  removePasskey,
  renewAccountCodes,
  linkWallet,
  unlinkWallet,
  enrollTwoFactor,
  confirmTwoFactor,
  disableTwoFactor,
  getSession,
  signOut,
  listSessions,
  endSession: endSessions,
  getTradingCredentials,
  saveTradingCredentials,
  enableTrading,
  deleteTradingCredentials,
  placeOrder,
  cancelOrder,
  listOpenOrders,
  listEventOpenOrders,
  addBookmark,
  removeBookmark,
  listNotifications: readNotifications,
  markNotification,
  markAllNotifications,
  listComments,
  listLatestComments: (platform, _viewer, { query }) => listLatestComments(platform, query),
  addComment,
  deleteComment,
  likeComment,
  reportComment,
  requestWithdrawal,
  cancelWithdrawal,
  listWithdrawals,
  getChain: (site) => getChain(site),
  listDeposits,
  getDepositAddress,
  getExitFile,
  getProxyWallet,
  signProxyWallet,
  affiliateInfo,
  affiliateStatement,
  eventActivity,
  listHolders,
  getPreferences,
  listApiKeys,
  changeUsername,
  changeEmail,
  sendEmailVerification,
  confirmEmail,
  muteNotifications,
  limitOrders,
  takeBreak,
  getFunds,
  getOwnProof,
  listPositions,
  listOwnActivity,
  orderToChange,
  changeOrder,
  cancelAllOrders,
  splitPosition,
  mergePosition,
  convertPosition,
  claimPositions,
  takeFromFaucet,
  searchUsers: (platform, _viewer, { query }) => searchUsers(platform, query.search),
  liveSeries: (site, _viewer, input) => liveSeries(site, input),
  seriesOfEvent: (site, _viewer, { query }) => seriesOfEvent(site, query),
  resolutionHistory: (site, _viewer, { query }) => resolutionHistory(site, query),
  'swap.offer': (site) => swapOffer(site),
  'swap.quote': quoteSwap,
  syncEvents: (site, scheduler) => runSync(site, scheduler, 'events'),
  syncVolume: (site, scheduler) => runSync(site, scheduler, 'volume'),
  syncResolution: (site, scheduler) => runSync(site, scheduler, 'resolution'),
  syncPrices: (site, scheduler) => runSync(site, scheduler, 'prices'),
  syncUsers: (site, scheduler) => runSync(site, scheduler, 'users'),
  syncBooks: (site, scheduler) => runSync(site, scheduler, 'books'),
}
