import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EquityChartItem } from '../../../src/contract/operations/equity-chart.ts';
import { columnsOf, pointsOf, pointsOfDays, pointsOfMinutes } from './chart-points.ts';

const hour = (startBrokerTime: string, equity: number): EquityChartItem => ({
  ...{ startBrokerTime, endBrokerTime: startBrokerTime.replace('00:00.000', '59:59.999') },
  ...{ averageBalance: 0, minBalance: 0, maxBalance: 0, averageEquity: 0 },
  ...{ minEquity: equity - 1, maxEquity: equity + 1, startBalance: 10, startEquity: equity },
  ...{ lastBalance: 10, lastEquity: equity },
});
const day = (date: string, balance: number, belowPeak?: number) => ({
  ...{ date, trades: 1, profit: 0, transfers: 0, balance },
  ...(belowPeak === undefined ? {} : { belowPeak }),
});

describe('points of a chart', () => {
  it("are at the ends of hours, with the server's drawdown", () => {
    const drawdown = { points: [{ startBrokerTime: '2026-01-05 10:00:00.000', below: 0.1 }] };
    const [first] = pointsOf([hour('2026-01-05 10:00:00.000', 9)], drawdown, 'hour');
    assert.equal(first?.timeSeconds, Date.UTC(2026, 0, 5, 11) / 1000);
    assert.deepEqual([first?.equity, first?.low, first?.high, first?.below], [9, 8, 10, 0.1]);
  });

  it('of the running hour are at its newest moment', () => {
    const running = {
      ...hour('2026-01-05 10:00:00.000', 9),
      brokerTime: '2026-01-05 10:20:00.000',
    };
    const [point] = pointsOf([running], undefined, 'hour');
    assert.equal(point?.timeSeconds, Date.UTC(2026, 0, 5, 10, 20) / 1000);
  });

  it('of days have the balance of the account, years apart as in reality', () => {
    const { times, balance, below } = columnsOf(
      pointsOfDays([day('2014-06-02', 100, 5), day('2022-06-02', 120)]),
    );
    assert.equal((times[1] ?? 0) - (times[0] ?? 0), (8 * 365 + 2) * 86_400);
    assert.deepEqual(balance, [100, 120]);
    assert.deepEqual(below, [-0.05, null]);
  });

  it('of minutes are at their last snapshots, after the hours before the first of them', () => {
    const hours = ['2026-01-05 09:00:00.000', '2026-01-05 10:00:00.000'];
    const minutes = ['2026-01-05 10:31', '2026-01-05 10:32', '2026-01-05 10:43'];
    const points = pointsOfMinutes(
      minutes.map((time) => ({
        ...hour(`${time}:00.000`, 9),
        endBrokerTime: `${time}:59.999`,
        brokerTime: `${time}:50.000`,
      })),
      hours.map((time) => hour(time, 8)),
      { points: [{ startBrokerTime: '2026-01-05 10:00:00.000', below: 0.1 }] },
    );
    assert.deepEqual(
      points.map(({ when, equity, below }) => [when, equity, below]),
      [
        ['2026-01-05 09:00 to 09:59', 8, undefined],
        ...minutes.map((time) => [`${time}:50`, 9, 0.1]),
      ],
    );
    assert.deepEqual(columnsOf(points).equity, [8, 9, 9, null, 9], 'no line over ten minutes');
  });

  it('make no line of equity over hours in which nothing came', () => {
    const hours = ['2026-01-05 10:00:00.000', '2026-01-05 12:00:00.000', '2026-01-06 12:00:00.000'];
    const columns = columnsOf(
      pointsOf(
        hours.map((time) => hour(time, 9)),
        undefined,
        'hour',
      ),
    );
    assert.deepEqual(columns.equity, [9, 9, null, 9]);
    assert.deepEqual(columns.balance, [10, 10, 10, 10]);
  });
});
