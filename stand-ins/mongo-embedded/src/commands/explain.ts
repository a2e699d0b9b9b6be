import type { Encodable } from '../bson/encode.ts';
import { isDoc } from '../bson/values.ts';
import type { Doc } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { QueryRun } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import { runPipeline } from './aggregate.ts';
import { collectionName } from './command.ts';
import type { Engine, Handler, Reply, Request } from './command.ts';
import { queryOf } from './read.ts';
import { queryFor } from './write.ts';

/** `explain`: how a command would find its documents, and (verbosity executionStats) what it examines. */
export const explain: Handler = (engine, request) => {
  const inner = request.args.get('explain');
  if (!isDoc(inner)) throw new CommandError(14, "BSON field 'explain.explain' must be an object");
  const [name = ''] = inner.keys();
  const explained: Request = { ...request, name, args: inner };
  const executes = request.args.get('verbosity') !== 'queryPlanner';
  const namespace = `${request.db}.${collectionName(explained)}`;
  const { query, rest } = plannedQuery(engine, explained);
  const planner = { queryPlanner: { namespace, winningPlan: winningPlan(query), rejectedPlans: [] } };
  const stats = executes ? { executionStats: executionStats(query) } : {};
  return {
    explainVersion: '1',
    ...planner,
    ...stats,
    ...(rest.length > 0
      ? { stages: [{ $cursor: { ...planner, ...stats } }, ...rest.map((stage) => new Map([stage]))] as Encodable[] }
      : {}),
    command: inner,
    serverInfo: { version: '7.0.0' },
    ok: 1,
  };
};

function plannedQuery(engine: Engine, request: Request): { query: QueryRun | undefined; rest: [string, Encodable][] } {
  const collection = engine.catalogue.get(request.db, collectionName(request));
  if (request.name === 'aggregate') {
    const { query, rest } = runPipeline(engine, request, collection);
    return { query, rest };
  }
  const query = explainedQuery(request);
  return { query: collection && new QueryRun(engine.store, collection, query), rest: [] };
}

function explainedQuery(request: Request): Query {
  const { name, args } = request;
  switch (name) {
    case 'find':
      return queryOf(request, 'filter');
    case 'count':
    case 'distinct':
      return queryOf(request, 'query');
    case 'findAndModify':
      return queryFor(args.get('query') ?? new Map(), args.get('hint'), 1, args.get('sort'));
    case 'update':
    case 'delete': {
      const list = args.get(`${name}s`);
      const statement = (Array.isArray(list) ? list[0] : undefined) as Doc | undefined;
      return queryFor(statement?.get('q'), statement?.get('hint'), 0);
    }
    default:
      throw outsideProfile(`explain of ${name}`);
  }
}

/** The plan in the format of MongoDB's explain. */
function winningPlan(query: QueryRun | undefined): Reply {
  if (!query) return { stage: 'EOF' };
  const { plan } = query;
  if (plan.stage === 'COLLSCAN') return sorted(plan.sorted, { stage: 'COLLSCAN', direction: 'forward' });
  const { index, reverse, covers } = plan;
  return sorted(plan.sorted, {
    stage: covers ? 'PROJECTION_COVERED' : 'FETCH',
    inputStage: {
      stage: 'IXSCAN',
      keyPattern: index.spec.get('key'),
      indexName: index.name,
      isMultiKey: index.multikeyFields.size > 0,
      isUnique: index.unique,
      isPartial: index.partial !== undefined,
      direction: reverse ? 'backward' : 'forward',
    },
  });
}

function sorted(isSorted: boolean, plan: Reply): Reply {
  return isSorted ? plan : { stage: 'SORT', inputStage: plan };
}

function executionStats(query: QueryRun | undefined): Reply {
  let nReturned = 0;
  if (query) for (const _ of query.covered() ?? query.matches()) nReturned += 1;
  const { keysExamined, docsExamined } = query?.statistics ?? { keysExamined: 0, docsExamined: 0 };
  return { executionSuccess: true, nReturned, totalKeysExamined: keysExamined, totalDocsExamined: docsExamined };
}
