import { adminAccessOperations } from './admin-access.ts'
import { adminAffiliateOperations } from './admin-affiliates.ts'
import { adminCategoryOperations } from './admin-categories.ts'
import { adminChainOperations } from './admin-chain.ts'
import { adminCommentOperations } from './admin-comments.ts'
import { adminCreationOperations } from './admin-creation.ts'
import { adminEventOperations } from './admin-events.ts'
import { adminPriceOperations } from './admin-prices.ts'
import { adminSettingsOperations } from './admin-settings.ts'
import { adminSyncOperations } from './admin-sync.ts'
import { adminSystemOperations } from './admin-system.ts'
import { adminThemeOperations } from './admin-themes.ts'
import { adminUploadOperations } from './admin-uploads.ts'
import { adminUserOperations } from './admin-users.ts'
import { adminWithdrawalOperations } from './admin-withdrawals.ts'

/** The admin routes. Refusals are `{success: false, error, code}`. */
export const adminOperations = {
  ...adminAccessOperations,
  ...adminSettingsOperations,
  ...adminUploadOperations,
  ...adminThemeOperations,
  ...adminCategoryOperations,
  ...adminEventOperations,
  ...adminUserOperations,
  ...adminWithdrawalOperations,
  ...adminChainOperations,
  ...adminCommentOperations,
  ...adminAffiliateOperations,
  ...adminSystemOperations,
  ...adminCreationOperations,
  ...adminSyncOperations,
  ...adminPriceOperations,
} as const
