import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesIndex, winningStages } from './query-plan.ts';

const scan = { stage: 'COLLSCAN', direction: 'forward' };
const index = { stage: 'IXSCAN', indexName: 'status_1' };

test('reads the winning plan in each of MongoDB’s forms', () => {
  const plans = {
    find: { queryPlanner: { winningPlan: { stage: 'FETCH', inputStage: index }, rejectedPlans: [scan] } },
    'a branch of $or': {
      queryPlanner: { winningPlan: { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: [index, index] } } },
    },
    'the slot-based engine': {
      queryPlanner: {
        winningPlan: { queryPlan: { stage: 'FETCH', inputStage: index }, slotBasedPlan: { stages: 'scan' } },
      },
    },
    'a pipeline': {
      stages: [
        {
          $cursor: {
            queryPlanner: { winningPlan: { stage: 'PROJECTION_COVERED', inputStage: index }, rejectedPlans: [] },
          },
        },
        { $group: { _id: null } },
      ],
    },
    'a pipeline that became a find': {
      queryPlanner: { winningPlan: { stage: 'GROUP', inputStage: index } },
      explainVersion: '2',
    },
    count: { queryPlanner: { winningPlan: { stage: 'COUNT', inputStage: { stage: 'COUNT_SCAN' } } } },
    distinct: {
      queryPlanner: { winningPlan: { stage: 'PROJECTION_COVERED', inputStage: { stage: 'DISTINCT_SCAN' } } },
    },
    'one _id, MongoDB 7': { queryPlanner: { winningPlan: { stage: 'IDHACK' } } },
    'one _id, MongoDB 8': { queryPlanner: { winningPlan: { stage: 'EXPRESS_IXSCAN' } } },
    update: { queryPlanner: { winningPlan: { stage: 'UPDATE', inputStage: { stage: 'FETCH', inputStage: index } } } },
  };
  for (const [name, plan] of Object.entries(plans))
    assert.ok(usesIndex(plan), `${name}: ${winningStages(plan).join()}`);
  assert.deepEqual(winningStages(plans['a branch of $or']), ['FETCH', 'OR', 'IXSCAN', 'IXSCAN']);
});

test('notices a scan anywhere in the winning plan, and a sort in memory', () => {
  const scans = {
    whole: { queryPlanner: { winningPlan: scan, rejectedPlans: [index] } },
    'one branch': {
      queryPlanner: { winningPlan: { stage: 'SUBPLAN', inputStage: { stage: 'OR', inputStages: [index, scan] } } },
    },
    'in a pipeline': { stages: [{ $cursor: { queryPlanner: { winningPlan: { queryPlan: scan } } } }] },
  };
  for (const [name, plan] of Object.entries(scans)) assert.ok(!usesIndex(plan), name);
  const sorting = {
    queryPlanner: { winningPlan: { stage: 'SORT', inputStage: { stage: 'FETCH', inputStage: index } } },
  };
  assert.deepEqual([usesIndex(sorting), usesIndex(sorting, { sorted: true })], [true, false]);
  assert.throws(() => winningStages({ ok: 1 }), /no plan/);
});
