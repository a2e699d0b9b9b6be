import { STAGES } from '../aggregate/stages.ts';
import { integerOf } from '../aggregate/accumulators.ts';
import { isDoc } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { profileRow } from '../profile.ts';
import type { Expression } from '../query/expression.ts';
import { parseFilter } from '../query/filter-parser.ts';
import { QueryRun } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import { parseSort } from '../query/sorter.ts';
import type { Collection } from '../storage/catalogue.ts';
import { overlayOf } from './command.ts';
import type { Engine, Request } from './command.ts';
import { present } from '../present.ts';

type StageSpec = [name: string, argument: Value];

/** A pipeline on its way: the query it starts with, where the collection exists, and what it gives. */
export interface PipelineRun {
  query?: QueryRun;
  documents: Iterable<Doc | Buffer>;
  /** The stages that follow the query. */
  rest: StageSpec[];
}

/** Leading $match, $sort, $skip and $limit become one query, which can use an index. */
function leadingQuery(stages: StageSpec[]): { query: Query; rest: StageSpec[] } {
  const filters: Expression[] = [];
  const rest = [...stages];
  const take = (name: string): Value | undefined => rest[0]?.[0] === name ? rest.shift()?.[1] : undefined;
  for (let filter = take('$match'); isDoc(filter); filter = take('$match')) filters.push(parseFilter(filter));
  const [only] = filters;
  const sort = take('$sort');
  const query = {
    filter: only && filters.length === 1 ? only : { type: 'AND' as const, children: filters },
    sort: isDoc(sort) ? parseSort(sort) : [],
    skip: integerOf(take('$skip')) ?? 0,
    limit: integerOf(take('$limit')) ?? 0,
  };
  return { query, rest };
}

function parsePipeline(request: Request): StageSpec[] {
  const pipeline = request.args.get('pipeline');
  if (!Array.isArray(pipeline)) throw new CommandError(14, "'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    if (!isDoc(stage) || stage.size !== 1) throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    const [[name, argument]] = [...stage] as [StageSpec];
    if (!profileRow('aggregation stage', name)) throw outsideProfile(`Unrecognized pipeline stage name: '${name}', or a stage that`, 40324);
    return [name, argument];
  });
}

/**
 * Prepares an aggregation. Every stage is checked, even where there is nothing to run it on.
 * @param collection undefined where it doesn't exist
 */
export function runPipeline(engine: Engine, request: Request, collection: Collection | undefined): PipelineRun {
  const specs = parsePipeline(request);
  const stages = specs.map(([name, argument]) => present(STAGES[name])(argument));
  if (!collection) return { documents: stages.reduce<Iterable<Doc>>((docs, stage) => stage(docs), []), rest: specs };
  const { query, rest } = leadingQuery(specs);
  const hint = request.args.get('hint');
  if (hint !== undefined) query.hint = hint;
  const overlay = overlayOf(engine, request, collection);
  const run = new QueryRun(engine.store, collection, query, overlay);
  if (rest.length === 0) return { query: run, documents: bytesOf(run), rest };
  const following = stages.slice(stages.length - rest.length);
  return { query: run, documents: following.reduce<Iterable<Doc>>((docs, stage) => stage(docs), docsOf(run)), rest };
}

function* docsOf(run: QueryRun): Generator<Doc> {
  for (const { doc } of run.matches()) yield doc;
}

function* bytesOf(run: QueryRun): Generator<Buffer> {
  for (const { bytes } of run.matches()) yield bytes;
}
