import { PLATFORMS } from '../words/accounts.ts';
import type { Operation } from './operation.ts';
import { readStandingOperation } from './operations/account-standing.ts';
import {
  deleteAccountViewOperation,
  listAccountViewsOperation,
  saveAccountViewOperation,
} from './operations/account-views.ts';
import {
  createAccountOperation,
  deleteAccountOperation,
  labelAccountsOperation,
  listAccountLabelsOperation,
  listAccountsOperation,
  readAccountOperation,
  updateAccountOperation,
} from './operations/accounts.ts';
import {
  accountsOverviewOperation,
  readAccountTotalsOperation,
} from './operations/accounts-overview.ts';
import { listAuditOperation } from './operations/audit.ts';
import {
  listBreachActionsOperation,
  readBreachActionStateOperation,
  readBreachActionSwitchOperation,
  retryBreachActionsOperation,
  setBreachActionSwitchOperation,
} from './operations/breach-actions.ts';
import {
  listSealsOperation,
  readCaseOperation,
  readEvidenceKeyOperation,
} from './operations/cases.ts';
import {
  correctDealOperation,
  deleteDealOperation,
  listDealsOperation,
  recordDealsOperation,
} from './operations/deals.ts';
import { readDrawdownOperation } from './operations/drawdown.ts';
import {
  changeEnrolmentOperation,
  createEnrolmentOperation,
  listEnrolmentsOperation,
  listProgramEnrolmentsOperation,
  previewEnrolmentOperation,
  readEnrolmentOperation,
} from './operations/enrolments.ts';
import { equityChartOperation } from './operations/equity-chart.ts';
import { readCombinedCurveOperation } from './operations/equity-curve.ts';
import { readEventMailOperation, setEventMailOperation } from './operations/event-mail.ts';
import { exportHistoryOperation } from './operations/exports.ts';
import { historicalTradesOperation } from './operations/historical-trades.ts';
import {
  handleIncidentsOperation,
  listIncidentEntriesOperation,
  listIncidentsOperation,
  readIncidentOperation,
} from './operations/incidents.ts';
import { readLimitStepsOperation } from './operations/limit-steps.ts';
import { followStandingOperation } from './operations/live-standing.ts';
import { listMailOperation, resendMailOperation } from './operations/mail.ts';
import { calculateMarginOperation, putMarketOperation } from './operations/margin.ts';
import {
  readMetricsOperation,
  readMetricsTableOperation,
  readOpenTradesOperation,
} from './operations/metrics.ts';
import { startFromStatementOperation } from './operations/new-statements.ts';
import {
  createOwnTokenOperation,
  deleteOwnTokenOperation,
  listOwnTokensOperation,
  rotateOwnTokenOperation,
} from './operations/own-tokens.ts';
import {
  changePersonOperation,
  inviteAgainOperation,
  invitePersonOperation,
  listPeopleOperation,
  removePersonOperation,
} from './operations/people.ts';
import {
  accountInformationOperation,
  groupAccountsOperation,
  groupsOperation,
  openAccountOperation,
  p5SymbolsOperation,
  readP4UserOperation,
  readP5UserOperation,
  symbolsGroupOperation,
} from './operations/platform-accounts.ts';
import {
  balanceOperation,
  changeAccountOperation,
  closePositionsOperation,
  readAccountSettingsOperation,
  readPendingOrdersOperation,
  readPositionsOperation,
  setPasswordOperation,
} from './operations/platform-actions.ts';
import {
  createProfileOperation,
  deleteProfileOperation,
  listProfilesOperation,
  readProfileOperation,
  updateProfileOperation,
} from './operations/profiles.ts';
import {
  createProgramOperation,
  deleteProgramOperation,
  listProgramsOperation,
  readProgramOperation,
  updateProgramOperation,
} from './operations/programs.ts';
import {
  decideQuotaRequestOperation,
  listOwnQuotaRequestsOperation,
  listQuotaRequestsOperation,
  listRegionsOperation,
  readRegionQuotasOperation,
  readStorageOperation,
  readUserQuotasOperation,
  requestQuotasOperation,
  setQuotasOperation,
} from './operations/quotas.ts';
import {
  deleteRuleTemplateOperation,
  listRuleTemplatesOperation,
  saveRuleTemplateOperation,
} from './operations/rule-templates.ts';
import {
  createSignInCodeOperation,
  endSessionOperation,
  endSessionsOperation,
  listSessionsOperation,
  readSessionOperation,
  readSignInOperation,
  signInOperation,
} from './operations/sessions.ts';
import { recordSnapshotsOperation } from './operations/snapshots.ts';
import {
  deleteImportOperation,
  importStatementOperation,
  listImportsOperation,
  readImportOperation,
  settleConflictOperation,
} from './operations/statements.ts';
import {
  currentTokenOperation,
  livenessOperation,
  readinessOperation,
} from './operations/system.ts';
import {
  deleteTableMappingOperation,
  listTableMappingsOperation,
  saveTableMappingOperation,
} from './operations/table-mappings.ts';
import {
  drawdownEventStreamOperation,
  evidenceOperation,
  liveDrawdownEventsOperation,
  liveTrackerEventsOperation,
  trackerEventStreamOperation,
  trackerEventsByTimeOperation,
} from './operations/tracker-events.ts';
import {
  createTrackerOperation,
  deleteTrackerOperation,
  listTrackersOperation,
  previewTrackerOperation,
  readTrackerByNameOperation,
  readTrackerOperation,
  renameTrackerOperation,
  trackerStatisticsOperation,
} from './operations/trackers.ts';
import { searchTradesOperation } from './operations/trade-search.ts';
import {
  createTokenOperation,
  createUserOperation,
  deleteTokenOperation,
  deleteUserOperation,
  listTokensOperation,
  listUsersOperation,
  rotateTokenOperation,
} from './operations/users.ts';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
  testWebhookOperation,
} from './operations/webhooks.ts';

/** Every operation of the API, in the order in which the reference shows them. */
export const OPERATIONS: readonly Operation[] = [
  historicalTradesOperation,
  searchTradesOperation,
  readOpenTradesOperation,
  readMetricsOperation,
  readMetricsTableOperation,
  exportHistoryOperation,
  recordDealsOperation,
  listDealsOperation,
  correctDealOperation,
  deleteDealOperation,
  startFromStatementOperation,
  importStatementOperation,
  listImportsOperation,
  readImportOperation,
  settleConflictOperation,
  deleteImportOperation,
  listTableMappingsOperation,
  saveTableMappingOperation,
  deleteTableMappingOperation,

  recordSnapshotsOperation,
  equityChartOperation,
  readCombinedCurveOperation,
  readDrawdownOperation,
  accountsOverviewOperation,
  readAccountTotalsOperation,
  listAccountViewsOperation,
  saveAccountViewOperation,
  deleteAccountViewOperation,
  readStandingOperation,
  followStandingOperation,
  listTrackersOperation,
  createTrackerOperation,
  previewTrackerOperation,
  readTrackerOperation,
  renameTrackerOperation,
  deleteTrackerOperation,
  readTrackerByNameOperation,
  trackerStatisticsOperation,
  readLimitStepsOperation,
  listRuleTemplatesOperation,
  saveRuleTemplateOperation,
  deleteRuleTemplateOperation,
  listProgramsOperation,
  createProgramOperation,
  readProgramOperation,
  updateProgramOperation,
  deleteProgramOperation,
  listProgramEnrolmentsOperation,
  listEnrolmentsOperation,
  createEnrolmentOperation,
  previewEnrolmentOperation,
  readEnrolmentOperation,
  changeEnrolmentOperation,
  drawdownEventStreamOperation,
  liveDrawdownEventsOperation,
  trackerEventStreamOperation,
  liveTrackerEventsOperation,
  trackerEventsByTimeOperation,
  evidenceOperation,
  readCaseOperation,
  listSealsOperation,
  listIncidentsOperation,
  readIncidentOperation,
  listIncidentEntriesOperation,
  handleIncidentsOperation,
  listBreachActionsOperation,
  readBreachActionStateOperation,
  retryBreachActionsOperation,
  listWebhooksOperation,
  createWebhookOperation,
  deleteWebhookOperation,
  testWebhookOperation,
  listDeadLettersOperation,
  replayDeadLettersOperation,

  calculateMarginOperation,
  putMarketOperation,

  symbolsGroupOperation,
  p5SymbolsOperation,
  groupsOperation('p4'),
  groupsOperation('p5'),
  openAccountOperation('p4'),
  openAccountOperation('p5'),
  ...(['GET', 'POST'] as const).flatMap((method): Operation[] => [
    readP4UserOperation(method),
    readP5UserOperation(method),
    accountInformationOperation('p4', method),
    accountInformationOperation('p5', method),
    groupAccountsOperation('p4', method),
    groupAccountsOperation('p5', method),
  ]),
  ...PLATFORMS.flatMap((family): Operation[] => [
    readAccountSettingsOperation(family),
    changeAccountOperation(family),
    setPasswordOperation(family),
    balanceOperation(family),
    readPositionsOperation(family),
    readPendingOrdersOperation(family),
    closePositionsOperation(family),
  ]),

  listAccountsOperation,
  createAccountOperation,
  readAccountOperation,
  updateAccountOperation,
  deleteAccountOperation,
  listAccountLabelsOperation,
  labelAccountsOperation,
  listProfilesOperation,
  createProfileOperation,
  readProfileOperation,
  updateProfileOperation,
  deleteProfileOperation,
  listRegionsOperation,
  readUserQuotasOperation,
  readRegionQuotasOperation,
  readStorageOperation,
  requestQuotasOperation,
  listOwnQuotaRequestsOperation,

  listUsersOperation,
  createUserOperation,
  listTokensOperation,
  createTokenOperation,
  rotateTokenOperation,
  deleteTokenOperation,
  deleteUserOperation,
  setQuotasOperation,
  listQuotaRequestsOperation,
  decideQuotaRequestOperation,
  listMailOperation,
  resendMailOperation,
  listAuditOperation,
  readBreachActionSwitchOperation,
  setBreachActionSwitchOperation,

  readEventMailOperation,
  setEventMailOperation,

  currentTokenOperation,
  listOwnTokensOperation,
  createOwnTokenOperation,
  rotateOwnTokenOperation,
  deleteOwnTokenOperation,
  listPeopleOperation,
  invitePersonOperation,
  changePersonOperation,
  inviteAgainOperation,
  removePersonOperation,
  readSessionOperation,
  signInOperation,
  readSignInOperation,
  createSignInCodeOperation,
  listSessionsOperation,
  endSessionOperation,
  endSessionsOperation,
  livenessOperation,
  readinessOperation,
  readEvidenceKeyOperation,
];
