export const QUOTAS = [
  { name: 'maxAccounts', title: 'Accounts', hint: 'Deployed or not' },
  { name: 'maxDeployedG1Accounts', title: 'Deployed g1 accounts', hint: undefined },
  { name: 'maxDeployedG2Accounts', title: 'Deployed g2 accounts', hint: undefined },
  {
    name: 'maxDeployedCopyAccounts',
    title: 'Deployed copy accounts',
    hint: 'They take part in copy trading',
  },
  { name: 'maxDedicatedIpv4', title: 'Dedicated IPv4 addresses', hint: 'One for each account' },
] as const;

export type QuotaName = (typeof QUOTAS)[number]['name'];

export const titleOfQuota = (name: string): string =>
  QUOTAS.find((quota) => quota.name === name)?.title ?? name;
