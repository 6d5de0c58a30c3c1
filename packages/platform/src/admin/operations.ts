import type { adminOperations } from '@augury/wire/platform/admin-operations'
import type { UseCases } from '../authorization/use-cases.ts'
import { listModels } from '../creation/ask-model.ts'
import { assist, suggestTranslation } from '../creation/assist.ts'
import { addDraft, checkStoredDraft, deleteDraft, listDrafts, readDraft, saveDraft } from '../creation/drafts.ts'
import { listSeries, putSeries, turnSeries } from '../creation/event-series.ts'
import { writeMarketContext } from '../creation/market-context.ts'
import { createEvent, publishDraft } from '../creation/publish-draft.ts'
import { listPriceSeries, putPriceSeries } from '../series/manage-series.ts'
import { priceSeriesState } from '../series/series-state.ts'
import { restoreSettings, saveSettings, settingsHistory, showSettings } from '../settings/manage-settings.ts'
import { retryDeadLetter, runSyncAsAdmin } from '../sync/manage-sync.ts'
import { listDeadLetters, listRuns, syncState } from '../sync/sync-state.ts'
import { addTheme, checkTheme, deleteTheme, listThemes, publishTheme, putTheme, saveTheme, showTheme } from '../themes/manage-themes.ts'
import { listTranslations, translate } from '../translations/manage-translations.ts'
import { addAdmin, claimAdmin, listAdmins, removeAdmin } from './admins.ts'
import { exportAffiliates, listAffiliates } from './affiliates.ts'
import { listAuditLog, verifyAuditLog } from './audit-log.ts'
import { addCategory, adminMainTags, listCategories, orderCategories, updateCategory } from './categories.ts'
import { showChain } from './chain.ts'
import { updateEvent } from './change-event.ts'
import { keepComment, listAdminComments, removeComment } from './comments.ts'
import { allowCreator, allowedCreators, disallowCreator } from './creators.ts'
import { dashboard } from './dashboard.ts'
import { checkSlug, listAdminEvents, showAdminEvent } from './list-events.ts'
import { mergeCategory } from './merge-categories.ts'
import { pauseEvent } from './pause-event.ts'
import { rescheduleEvent } from './reschedule-event.ts'
import { resolveEvent } from './resolve-event.ts'
import { setVenueMode, showSystem } from './system.ts'
import { undo } from './undo.ts'
import { uploadImage } from './upload-image.ts'
import { endUserSessions, exportUsers, listUsers, resetSecondFactor, updateUser, userSessions } from './users.ts'
import { approveWithdrawal, endWithdrawal, listAllWithdrawals } from './withdrawals.ts'

/** Every use case of admins by the name of its operation. */
export const adminUseCases: UseCases<typeof adminOperations> = {
  adminClaim: claimAdmin,
  adminChain: (site) => showChain(site),
  adminListAdmins: (site) => listAdmins(site),
  adminAddAdmin: addAdmin,
  adminRemoveAdmin: removeAdmin,
  adminAuditLog: (site, _admin, input) => listAuditLog(site, input),
  adminVerifyAuditLog: async (site) => ({ success: true, data: await verifyAuditLog(site) }),
  adminUndo: undo,
  adminGetGeneralSettings: (site) => showSettings(site, 'general'),
  adminPutGeneralSettings: (site, admin, { body }) => saveSettings(site, admin, 'general', body),
  adminGetAiSettings: (site) => showSettings(site, 'ai'),
  adminPutAiSettings: (site, admin, { body }) => saveSettings(site, admin, 'ai', body),
  adminGetSwapSettings: (site) => showSettings(site, 'swap'),
  adminPutSwapSettings: (site, admin, { body }) => saveSettings(site, admin, 'swap', body),
  adminGetAffiliateSettings: (site) => showSettings(site, 'affiliate'),
  adminPutAffiliateSettings: (site, admin, { body }) => saveSettings(site, admin, 'affiliate', body),
  adminGetResolutionSettings: (site) => showSettings(site, 'resolution'),
  adminPutResolutionSettings: (site, admin, { body }) => saveSettings(site, admin, 'resolution', body),
  adminGetHomeSettings: (site) => showSettings(site, 'home'),
  adminPutHomeSettings: (site, admin, { body }) => saveSettings(site, admin, 'home', body),
  adminGetAnnouncementSettings: (site) => showSettings(site, 'announcement'),
  adminPutAnnouncementSettings: (site, admin, { body }) => saveSettings(site, admin, 'announcement', body),
  adminGetLocaleSettings: (site) => showSettings(site, 'locales'),
  adminPutLocaleSettings: (site, admin, { body }) => saveSettings(site, admin, 'locales', body),
  adminSettingsHistory: (site, _admin, input) => settingsHistory(site, input),
  adminRestoreSettings: restoreSettings,
  adminUpload: uploadImage,
  adminGetTheme: (site) => showTheme(site),
  adminPutTheme: putTheme,
  adminListThemes: (site) => listThemes(site),
  adminCheckTheme: (site, _admin, input) => checkTheme(site, input),
  adminAddTheme: addTheme,
  adminSaveTheme: saveTheme,
  adminPublishTheme: publishTheme,
  adminDeleteTheme: deleteTheme,
  adminCategories: (site, _admin, input) => listCategories(site, input),
  adminMainTags: (site) => adminMainTags(site),
  adminAddCategory: addCategory,
  adminUpdateCategory: updateCategory,
  adminMergeCategory: mergeCategory,
  adminOrderCategories: orderCategories,
  adminTranslations: (site, _admin, input) => listTranslations(site, input),
  adminTranslate: translate,
  adminEvents: (site, _admin, input) => listAdminEvents(site, input),
  adminCheckSlug: (site, _admin, input) => checkSlug(site, input),
  adminEvent: (site, _admin, input) => showAdminEvent(site, input),
  adminUpdateEvent: updateEvent,
  adminPauseEvent: (site, admin, input) => pauseEvent(site, admin, input, true),
  adminResumeEvent: (site, admin, input) => pauseEvent(site, admin, input, false),
  adminRescheduleEvent: rescheduleEvent,
  adminResolveEvent: resolveEvent,
  adminUsers: (site, _admin, input) => listUsers(site, input),
  adminUpdateUser: updateUser,
  adminUserSessions: (site, _admin, input) => userSessions(site, input),
  adminEndUserSessions: endUserSessions,
  adminResetSecondFactor: resetSecondFactor,
  adminExportUsers: exportUsers,
  adminWithdrawals: (site, _admin, input) => listAllWithdrawals(site, input),
  adminEndWithdrawal: endWithdrawal,
  adminApproveWithdrawal: approveWithdrawal,
  adminComments: (site, _admin, input) => listAdminComments(site, input),
  adminRemoveComment: removeComment,
  adminKeepComment: keepComment,
  adminAffiliates: (site, _admin, input) => listAffiliates(site, input),
  adminExportAffiliates: exportAffiliates,
  adminAllowedCreators: (site, _admin, input) => allowedCreators(site, input),
  adminAllowCreator: allowCreator,
  adminDisallowCreator: disallowCreator,
  adminSystem: (site) => showSystem(site),
  adminSetVenueMode: setVenueMode,
  adminDashboard: (site, _admin, input) => dashboard(site, input),
  adminDrafts: (site, _admin, input) => listDrafts(site, input),
  adminAddDraft: addDraft,
  adminDraft: async (site, _admin, { params }) => ({ success: true, data: await readDraft(site.em(), params.id) }),
  adminSaveDraft: saveDraft,
  adminDeleteDraft: deleteDraft,
  adminCheckDraft: (site, _admin, input) => checkStoredDraft(site, input),
  adminPublishDraft: publishDraft,
  adminCreateEvent: createEvent,
  adminSeries: (site) => listSeries(site),
  adminPutSeries: putSeries,
  adminTurnSeries: turnSeries,
  adminCreateEventAi: assist,
  adminOpenrouterModels: async (site, _admin, { body }) => ({ models: await listModels(site, body.apiKey) }),
  adminSuggestTranslation: suggestTranslation,
  adminWriteMarketContext: writeMarketContext,
  adminSyncState: async (site) => ({ data: await syncState(site) }),
  adminSyncRuns: (site, _admin, input) => listRuns(site, input),
  adminDeadLetters: (site, _admin, input) => listDeadLetters(site, input),
  adminRetryDeadLetter: retryDeadLetter,
  adminRunSync: runSyncAsAdmin,
  adminPriceSeries: (site) => listPriceSeries(site),
  adminPriceSeriesState: (site, _admin, input) => priceSeriesState(site, input),
  adminPutPriceSeries: putPriceSeries,
}
