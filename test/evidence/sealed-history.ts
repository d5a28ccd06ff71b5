import { generateKeyPairSync, sign } from 'node:crypto';
import type {
  CaseAnnex,
  CaseFile,
  CaseStatement,
  SealExport,
} from '../../src/contract/operations/cases.ts';
import { canonicalJson } from '../../src/domain/evidence/canonical-json.ts';
import {
  consistencyPath,
  GrowingTree,
  HASH_BYTES,
  type Hash,
  hashesOf,
  inclusionPath,
  leafHash,
  type Subtree,
  subtreesOf,
} from '../../src/domain/evidence/merkle-tree.ts';
import {
  annexText,
  headText,
  originOf,
  signNote,
  type TextSigner,
} from '../../src/domain/evidence/signed-note.ts';
import { writeProof } from '../../src/domain/evidence/tree-proof.ts';

export function makeSigner(): TextSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

const SEALED_AT = '2026-03-02T09:00:01.250Z';

function statementOf(place: number, equity: number): CaseStatement {
  const time = { brokerTime: '2026-03-02 11:00:00.000' };
  const lost = 10_000 - equity;
  const about = { accountId: 'challenge-1', trackerId: 'tracker-1', period: 'day' as const };
  return {
    ...{ format: 1, place, sealedAt: SEALED_AT, accountId: 'challenge-1', login: '700001' },
    ...{ broker: 'Example “Süd”', currency: 'USD', sequenceNumber: 40 + place * 2 },
    brokerClock: { zone: 'Europe/Athens' },
    event: {
      ...{ ...about, ...time, kind: 'drawdown', sequenceNumber: 40 + place * 2 },
      ...{ startBrokerTime: '2026-03-02 00:00:00.000', endBrokerTime: '2026-03-02 23:59:59.999' },
      ...{
        exceededThresholdType: 'drawdown',
        absoluteDrawdown: lost,
        relativeDrawdown: lost / 10_000,
      },
      ...{ absoluteProfit: 0, relativeProfit: 0 },
    },
    measured: {
      ...{ initialBalance: 10_000, baseline: 10_000, allowed: 500, inclusive: false },
      ...{ adjustment: 0, balance: 10_000, equity },
      equation: `${equity} − 0 = ${equity}; 10000 − ${equity} = ${lost} > 500`,
    },
    snapshots: [{ ...time, balance: 10_000, equity, receivedAt: SEALED_AT }],
    deals: [{ id: '1', type: 'DEAL_TYPE_BUY', ...time, money: -1.75 }],
  };
}

const annexOf = (statement: string, generatedAt: string): CaseAnnex => ({
  ...{ format: 1, leaf: leafHash(statement).toString('base64'), generatedAt, actions: [] },
  ...{ acknowledged: false, entryCount: 0, entries: [] },
  openPositions: { source: 'none', remark: 'Unknown.', count: 0, positions: [] },
});

/** A user's sealed events, as a server answers them, with as many as a test wants. */
export class SealedHistory {
  readonly #signer: TextSigner;
  readonly #statements: string[];
  readonly #hashes: Hash[][] = [];
  readonly #heads: string[] = [];
  readonly origin: string;

  /** @param firstKey of the server, if it is another than the signer's */
  constructor(
    signer: TextSigner,
    userId: string,
    equities: readonly number[],
    firstKey = signer.publicKey,
  ) {
    this.#signer = signer;
    this.origin = originOf(firstKey, userId);
    this.#statements = equities.map((equity, index) =>
      canonicalJson(statementOf(index + 1, equity)),
    );
    const tree = new GrowingTree(0, []);
    for (const statement of this.#statements) {
      this.#hashes.push(tree.add(leafHash(statement)));
      const { size, root } = tree;
      const text = headText({ origin: this.origin, size, root });
      this.#heads.push(signNote(text, this.origin, signer));
    }
  }

  get size(): number {
    return this.#statements.length;
  }

  headAt(size: number): string {
    return this.#heads[size - 1] ?? '';
  }

  caseAt(place: number, size = this.size, generatedAt = '2026-03-03T09:12:00.000Z'): CaseFile {
    const statement = this.#statements[place - 1] ?? '';
    const path = this.#read(inclusionPath(place - 1, { from: 0, to: size }));
    const annex = canonicalJson(annexOf(statement, generatedAt));
    return {
      ...{ statement, proof: writeProof({ index: place - 1, path, head: this.headAt(size) }) },
      ...{ annex, annexSignature: signNote(annexText(annex), this.origin, this.#signer) },
      publicKey: this.#signer.publicKey,
    };
  }

  exportAt(fromPlace: number, limit = this.size, size = this.size): SealExport {
    const own = this.#hashes.slice(fromPlace - 1, Math.min(fromPlace - 1 + limit, size));
    const end = fromPlace - 1 + own.length;
    const texts = (hashes: readonly Hash[]) => hashes.map((hash) => hash.toString('base64'));
    const proof = end === 0 ? [] : this.#read(consistencyPath(end, { from: 0, to: size }));
    return {
      ...{ head: this.headAt(size), fromPlace },
      before: texts(subtreesOf({ from: 0, to: fromPlace - 1 }).map(this.#hashOf)),
      seals: texts(own.map((hashes) => Buffer.concat(hashes).subarray(0, HASH_BYTES))),
      consistency: texts(proof),
      publicKey: this.#signer.publicKey,
    };
  }

  /** A token over the head of a size, for a case file. */
  stampOf(place: number, size: number, token: Buffer): NonNullable<CaseFile['stamp']> {
    const path = this.#read(inclusionPath(place - 1, { from: 0, to: size }));
    return {
      ...{ size, path: path.map((hash) => hash.toString('base64')) },
      token: token.toString('base64'),
    };
  }

  #hashOf = ({ level, index }: Subtree): Hash =>
    this.#hashes[(index + 1) * 2 ** level - 1]?.[level] ?? Buffer.alloc(0);

  #read = (path: ReturnType<typeof inclusionPath>): Hash[] => hashesOf(path, this.#hashOf);
}
