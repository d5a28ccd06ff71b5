import type { Exit, Position } from './hedging-groups.ts';
import type { Rivals } from './match-by-profit.ts';
import type { Ambiguity } from './matching.ts';

/**
 * Where exits and volumes are that no position of the report has, though another choice could give
 * it.
 */
type Elsewhere = { next: readonly (Exit | Position)[] };
type Node = Exit | Position | Elsewhere;

/**
 * Which exits could as well belong to other positions. An exit may move to a rival position if that
 * one's exits can move on, and so on in a ring, or until one moves to a position that would stay
 * open, or replaces one that has no position: both ends lie in one strongly connected component of
 * the graph exit → rivals, position → its exits (Tarjan 1972). The differences between the two may
 * be wrong. `isOpenKnown`: the report lists open positions.
 */
export function ambiguityOf(rivals: Rivals, isOpenKnown: boolean): Ambiguity {
  const found: Ambiguity = { times: [], prices: [], volumes: [] };
  const exits = [...rivals.keys()];
  const open: Elsewhere = {
    next: isOpenKnown ? [] : exits.flatMap(({ position }) => position ?? []),
  };
  const unlisted: Elsewhere = { next: exits.filter(({ position }) => !position) };
  const componentOf = componentsOf(rivals, open, unlisted);
  for (const [exit, others] of rivals) {
    const { position: own } = exit;
    if (!own) continue;
    const home = componentOf.get(own);
    const swaps = others.filter((other) => other !== own && componentOf.get(other) === home);
    const isInDoubt = componentOf.get(unlisted) === home;
    if (swaps.length === 0 && !isInDoubt) continue;
    const differs = (of: (position: Position) => number) =>
      isInDoubt || swaps.some((other) => of(other) !== of(own));
    if (differs(({ openTimeMs }) => openTimeMs)) found.times.push(exit.index);
    if (differs(({ openPrice }) => openPrice)) found.prices.push(exit.index);
    const isOpenInDoubt = componentOf.get(open) === home;
    if (isOpenInDoubt || differs(({ volume }) => volume)) found.volumes.push(exit.index);
  }
  return found;
}

/** Numbers of the strongly connected components, without recursion. */
function componentsOf(rivals: Rivals, open: Elsewhere, unlisted: Elsewhere): Map<Node, number> {
  const next = (node: Node): readonly Node[] => {
    if ('next' in node) return node.next;
    if (!('exits' in node)) return [...(rivals.get(node) ?? []), unlisted];
    return node.remaining > 0 ? [...node.exits, open] : node.exits;
  };
  const low = new Map<Node, number>();
  const order = new Map<Node, number>();
  const component = new Map<Node, number>();
  const stack: Node[] = [];
  let components = 0;
  for (const root of rivals.keys()) {
    if (order.has(root)) continue;
    const work: { node: Node; children: readonly Node[]; at: number }[] = [];
    const enter = (node: Node) => {
      order.set(node, order.size);
      low.set(node, order.size - 1);
      stack.push(node);
      work.push({ node, children: next(node), at: 0 });
    };
    enter(root);
    for (let frame = work.at(-1); frame; frame = work.at(-1)) {
      const { node, children } = frame;
      const child = children[frame.at++];
      if (child !== undefined) {
        if (!order.has(child)) enter(child);
        else if (!component.has(child)) lower(low, node, order.get(child) ?? 0);
        continue;
      }
      work.pop();
      if (low.get(node) === order.get(node)) {
        for (let member = stack.pop(); member; member = stack.pop()) {
          component.set(member, components);
          if (member === node) break;
        }
        components += 1;
      }
      const parent = work.at(-1);
      if (parent) lower(low, parent.node, low.get(node) ?? 0);
    }
  }
  return component;
}

function lower(low: Map<Node, number>, node: Node, to: number): void {
  low.set(node, Math.min(low.get(node) ?? 0, to));
}
