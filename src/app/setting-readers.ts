import { isIP } from 'node:net';
import { parseQuotas } from '../domain/quotas/quota-request.ts';
import type { QuotaChange } from '../domain/quotas/quotas.ts';
import { parseSmtpUrl, type SmtpSettings } from '../network/smtp-settings.ts';
import { ROLES, type Role } from '../words/roles.ts';

// Each reads a setting's text, or throws an Error whose message ends the line "NAME must …".

export const anyText = (value: string): string => value;

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`be an integer from ${min} to ${max}`);
    }
    return number;
  };

/** A part of a whole, from 0 to 1. */
export function share(value: string): number {
  const number = Number(value);
  if (!/^[01](?:\.\d+)?$/.test(value) || number > 1) throw new Error('be a number from 0 to 1');
  return number;
}

export const oneOf =
  <const W extends string>(words: readonly W[]) =>
  (value: string): W => {
    const found = words.find((word) => word === value);
    if (!found) throw new Error(`be one of ${words.join(', ')}`);
    return found;
  };

export const url =
  (...protocols: string[]) =>
  (value: string): string => {
    if (value !== '' && !isUrl(value, protocols)) {
      throw new Error(`be a URL that starts with ${startsOf(protocols)}`);
    }
    return value;
  };

/** Without a host it points to a socket: postgres://user@/name?host=/run/postgresql. */
export function databaseUrl(value: string): string {
  const protocols = ['postgres', 'postgresql'];
  if (value === '' || isUrl(value.replace('@/', '@localhost/'), protocols)) return value;
  throw new Error(
    `be a URL that starts with ${startsOf(protocols)}, with special characters of its password ` +
      'percent-encoded',
  );
}

export const urls =
  (...protocols: string[]) =>
  (value: string): string => {
    const each = list(value);
    if (!each.every((part) => isUrl(part, protocols))) {
      throw new Error(`be URLs that start with ${startsOf(protocols)}, separated by commas`);
    }
    return each.join(',');
  };

const isUrl = (value: string, protocols: readonly string[]): boolean =>
  protocols.some((protocol) => value.startsWith(`${protocol}://`)) && URL.canParse(value);

const startsOf = (protocols: readonly string[]): string =>
  protocols.map((name) => `${name}://`).join(' or ');

const PROCESS_ROLES = ['api', 'engine', 'jobs'] as const;
type ProcessRole = (typeof PROCESS_ROLES)[number];

export function roles(value: string): ReadonlySet<ProcessRole> {
  if (value === 'all') return new Set(PROCESS_ROLES);
  return new Set(value.split(',').map((word) => oneOf(PROCESS_ROLES)(word.trim())));
}

/** The first encrypts. */
export function secretKeys(value: string): Buffer[] {
  const keys = list(value).map((text) => Buffer.from(text, 'base64'));
  if (keys.some((key) => key.length !== 32)) {
    throw new Error('be 32 bytes in base64 (openssl rand -base64 32), or some with commas between');
  }
  return keys;
}

/** The operator's token allows everything: it must not be guessable. */
const LEAST_ADMIN_TOKEN = 32;

export function adminToken(value: string): string | undefined {
  if (value !== '' && value.length < LEAST_ADMIN_TOKEN) {
    throw new Error(`have at least ${LEAST_ADMIN_TOKEN} characters (openssl rand -hex 32)`);
  }
  return value || undefined;
}

const list = (value: string): string[] =>
  value === '' ? [] : value.split(',').map((item) => item.trim());

/** A list of name=value, of some names, each once at most. */
export const valuesOf =
  <const Name extends string, Value>(names: readonly Name[], read: (text: string) => Value) =>
  (text: string): Partial<Record<Name, Value>> => {
    const values: Partial<Record<Name, Value>> = {};
    for (const item of list(text)) {
      const [word = '', value] = item.split(/=(.*)/s);
      const name = names.find((each) => each === word.trim());
      if (name === undefined || value === undefined || name in values) {
        throw new Error(
          `be a list like ${names[0]}=…,${names[1]}=… of ${names.join(', ')}, once each`,
        );
      }
      try {
        values[name] = read(value.trim());
      } catch (error) {
        throw new Error(`have a ${name} to ${error instanceof Error ? error.message : error}`);
      }
    }
    return values;
  };

/** Addresses, and networks as address/bits. */
export function networks(value: string): string[] {
  const items = list(value);
  for (const item of items) {
    const [address = '', bits, ...rest] = item.split('/');
    const most = isIP(address) === 4 ? 32 : 128;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (!isIP(address) || !isNetwork || rest.length > 0) {
      throw new Error('be addresses or networks separated by commas, such as 10.0.0.0/8');
    }
  }
  return items;
}

export function origins(value: string): string[] {
  const items = list(value);
  for (const item of items) {
    if (!URL.canParse(item) || new URL(item).origin !== item) {
      throw new Error('be origins separated by commas, such as https://journal.example.com');
    }
  }
  return items;
}

export function names(value: string): string[] {
  const list = value.split(',').map((name) => name.trim());
  const good = list.every((name) => /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}$/.test(name));
  if (!good || new Set(list).size !== list.length) {
    throw new Error('be different names separated by commas, of letters, digits, ".", "_", "-"');
  }
  return list;
}

/** The address of an OpenID provider; without TLS only on this machine. */
export function issuer(value: string): URL | undefined {
  if (value === '') return undefined;
  const address = URL.parse(value);
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(address?.hostname ?? '');
  if (address?.protocol === 'https:' || (address?.protocol === 'http:' && isHere)) return address;
  throw new Error('be a URL that starts with https://, or http:// on this machine');
}

/** Roles by groups, in order. A trader's accounts are known to invitations only. */
export function groupRoles(value: string): (readonly [group: string, role: Role])[] {
  const given = ROLES.filter((role) => role !== 'trader');
  return list(value).map((item) => {
    const [, group = '', word] = /^(.+)=(\w+)$/.exec(item) ?? [];
    const role = given.find((each) => each === word);
    if (!role) throw new Error(`be a list like group=${given[0]} of ${given.join(', ')}`);
    return [group, role];
  });
}

/** Hosts in private networks. */
export function privateHosts(value: string): (host: string) => boolean {
  if (value === 'none') return () => false;
  if (value === 'all') return () => true;
  const hosts = new Set(value.split(',').map((host) => host.trim().toLowerCase()));
  if ([...hosts].some((host) => host === '' || /[/@?#]/.test(host)))
    throw new Error('be none, all, or host names separated by commas');
  return (host) => hosts.has(host);
}

export const smtpServer = (value: string): SmtpSettings | undefined =>
  value === '' ? undefined : parseSmtpUrl(value);

export function quotaList(value: string): QuotaChange {
  const read = parseQuotas(value);
  if ('change' in read) return read.change;
  const faults = read.faults.map(({ parameter, message }) => `${parameter} ${message}`);
  throw new Error(`be a list like maxAccounts=100,maxDedicatedIpv4=2: ${faults.join('; ')}`);
}
