import type { PlatformUser } from '../../platforms/gateway.ts';
import { mix, pick } from './random.ts';

export type Person = Pick<
  PlatformUser,
  'name' | 'address' | 'city' | 'state' | 'zip' | 'country' | 'phone' | 'email'
> & { clientId: string; leadSource: string; leadCampaign: string };

const FIRST =
  'Anna Ben Carla David Elif Farid Greta Hugo Ines Jonas Karin Luis Maya Noah Olga Paul Rosa Sven';
const LAST =
  'Abel Bauer Costa Dahl Evans Fischer Garcia Haas Ivers Jensen Kaya Lopez Moser Novak Okafor Rossi';
const STREETS = ['Harbour Street', 'Mill Lane', 'Station Road', 'Quay Street', 'Church Hill'];
const PLACES = [
  { city: 'Rotterdam', state: 'South Holland', country: 'Netherlands', dial: '31', zip: '3011' },
  { city: 'Bristol', state: 'England', country: 'United Kingdom', dial: '44', zip: 'BS1 4DJ' },
  { city: 'Hamburg', state: 'Hamburg', country: 'Germany', dial: '49', zip: '20457' },
  { city: 'Lisbon', state: 'Lisboa', country: 'Portugal', dial: '351', zip: '1100-148' },
  { city: 'Sydney', state: 'New South Wales', country: 'Australia', dial: '61', zip: '2000' },
];
const SOURCES = ['website', 'partner', 'webinar', 'referral'];
const CAMPAIGNS = ['autumn-2026', 'spring-2026', 'none'];

/** The invented holder of an account; addresses of example.com reach no one. */
export function personOf(seed: number, login: number): Person {
  const state = mix(seed, login);
  const first = pick(FIRST.split(' '), state, 1);
  const last = pick(LAST.split(' '), state, 2);
  const place = pick(PLACES, state, 3);
  return {
    name: `${first} ${last}`,
    address: `${(mix(state, 4) % 120) + 1} ${pick(STREETS, state, 5)}`,
    city: place.city,
    state: place.state,
    zip: place.zip,
    country: place.country,
    phone: `+${place.dial}5550${String(mix(state, 6) % 100_000).padStart(5, '0')}`,
    email: `${first}.${last}.${login}@example.com`.toLowerCase(),
    clientId: String((mix(state, 7) % 900_000) + 100_000),
    leadSource: pick(SOURCES, state, 8),
    leadCampaign: pick(CAMPAIGNS, state, 9),
  };
}
