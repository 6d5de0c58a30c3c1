import type { adminOperations } from '@augury/wire/platform/admin-operations'
import type { UseCases } from '../operations.ts'
import { restoreSettings, saveSettings, settingsHistory, showSettings } from '../settings/manage-settings.ts'
import { retryDeadLetter, runSyncAsAdmin } from '../sync/manage-sync.ts'
import { listDeadLetters, listRuns, syncState } from '../sync/sync-state.ts'
import { addTheme, checkTheme, deleteTheme, listThemes, publishTheme, putTheme, saveTheme, showTheme } from '../themes/manage-themes.ts'
import { uploadImage } from '../uploads/upload-image.ts'
import { addAdmin, claimAdmin, listAdmins, removeAdmin } from './admins.ts'
import { listAuditLog, verifyAuditLog } from './audit-log.ts'
import { undo } from './undo.ts'

/** Every use case of admin by the name of its operation. */
export const adminUseCases: UseCases<typeof adminOperations> = {
  adminClaim: claimAdmin,
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
  adminSyncState: async (site) => ({ data: await syncState(site) }),
  adminSyncRuns: (site, _admin, input) => listRuns(site, input),
  adminDeadLetters: (site, _admin, input) => listDeadLetters(site, input),
  adminRetryDeadLetter: retryDeadLetter,
  adminRunSync: runSyncAsAdmin,
}
