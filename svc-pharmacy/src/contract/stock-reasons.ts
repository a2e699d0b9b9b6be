/** Why a pharmacist adjusts a medicine's stock; `other` needs words. */
export const adjustReasons = ['counted', 'broken', 'expired', 'returned', 'recalled', 'other'] as const;
export type AdjustReason = (typeof adjustReasons)[number];

/**
 * Why a quantity changed. `carried over`: found when movements began to be kept, or changed by a release that doesn't keep
 * them.
 */
export const movementReasons = [
  'carried over',
  'added',
  'imported',
  'restocked',
  'ordered',
  'order cancelled',
  'order expired',
  ...adjustReasons,
] as const;
export type MovementReason = (typeof movementReasons)[number];

/** Most units of one delivery, and of one adjustment, up or down. */
export const maxAdjustment = 1_000_000;
