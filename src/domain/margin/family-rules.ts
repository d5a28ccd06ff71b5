import { P4_RULES } from './p4-modes.ts';
import { P5_RULES } from './p5-modes.ts';
import type { FamilyRules, MarginAccount } from './rules.ts';

export const FAMILY_RULES: Record<MarginAccount['family'], FamilyRules> = {
  p4: P4_RULES,
  p5: P5_RULES,
};
