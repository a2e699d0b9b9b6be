import { Int32 } from 'bson';
import { STAGES } from '../aggregate/stages.ts';
import type { Stage } from '../aggregate/stages.ts';
import { integerOf } from '../aggregate/accumulators.ts';
import { fromInteger, toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { profileRow } from '../profile.ts';
import type { Expression } from '../query/expression.ts';
import { parseFilter } from '../query/filter-parser.ts';
import { QueryRun } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import { parseSort } from '../query/sorter.ts';
import type { Collection } from '../storage/catalogue.ts';
import { overlayOf } from './command.ts';
import type { Engine, Request } from './command.ts';

type StageSpec = [name: string, argument: Value];

/** A running pipeline: its leading query, if the collection exists, and its results. */
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
  const take = (name: string): Value | undefined => (rest[0]?.[0] === name ? rest.shift()?.[1] : undefined);
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

export function parsePipeline(request: Request): StageSpec[] {
  const pipeline = request.args.get('pipeline');
  if (!Array.isArray(pipeline)) throw new CommandError(14, "'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    if (!isDoc(stage) || stage.size !== 1)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    const [[name, argument]] = [...stage] as [StageSpec];
    if (!profileRow('aggregation stage', name))
      throw outsideProfile(`Unrecognized pipeline stage name: '${name}', or a stage that`, 40324);
    return [name, argument];
  });
}

/**
 * Prepares an aggregation. Every stage is checked, even if there is no collection to run it on.
 * @param collection undefined if it doesn't exist
 */
export function runPipeline(engine: Engine, request: Request, collection: Collection | undefined): PipelineRun {
  const specs = parsePipeline(request);
  const stages = specs.map(([name, argument]) => present(STAGES[name])(argument));
  if (!collection) return { documents: chain(stages, []), rest: specs };
  const { query, rest } = leadingQuery(specs);
  const fields = fieldsOfStage(rest[0]);
  if (fields) query.fields = fields;
  const hint = request.args.get('hint');
  if (hint !== undefined) query.hint = hint;
  const overlay = overlayOf(engine, request, collection);
  const run = new QueryRun(engine.store, collection, query, overlay);
  if (rest.length === 0) return { query: run, documents: bytesOf(run), rest };
  const [first, ...others] = stages.slice(stages.length - rest.length);
  const counted = countedDocument(rest[0]);
  if (counted) return { query: run, documents: chain(others, counted(run)), rest };
  const following = first ? [first, ...others] : [];
  return { query: run, documents: chain(following, docsOf(run)), rest };
}

function chain(stages: Stage[], docs: Iterable<Doc>): Iterable<Doc> {
  return stages.reduce<Iterable<Doc>>((input, stage) => stage(input), docs);
}

/**
 * For a stage that only counts (`$count`, or `$group` as countDocuments sends it), the function that turns a count into
 * its one document.
 */
function countedDocument(stage: StageSpec | undefined): ((run: QueryRun) => Iterable<Doc>) | undefined {
  if (!stage) return undefined;
  const [name, argument] = stage;
  const fields =
    name === '$count' && typeof argument === 'string'
      ? [argument]
      : name === '$group'
        ? countFields(argument)
        : undefined;
  if (!fields) return undefined;
  return function* counted(run) {
    const n = fromInteger(run.count());
    if (toDouble(n) === 0) return;
    const id = isDoc(argument) ? argument.get('_id') : undefined;
    yield new Map<string, Value>([
      ...(id === undefined ? [] : [['_id', id] as const]),
      ...fields.map((field) => [field, n] as const),
    ]);
  };
}

/** The fields of a `$group` by a number or null that are all `{$sum: 1}`. */
function countFields(argument: Value): string[] | undefined {
  if (!isDoc(argument)) return undefined;
  const id = argument.get('_id');
  if (id !== null && !isNumber(id)) return undefined;
  const fields = [...argument].filter(([name]) => name !== '_id');
  const ones = fields.every(
    ([, value]) =>
      isDoc(value) && value.size === 1 && value.get('$sum') instanceof Int32 && integerOf(value.get('$sum')) === 1,
  );
  return ones ? fields.map(([name]) => name) : undefined;
}

/** The top-level fields that a `$group` reads, undefined for other stages and for one that reads whole documents. */
function fieldsOfStage(stage: StageSpec | undefined): Set<string> | undefined {
  const fields = new Set<string>();
  const add = (value: Value | undefined): boolean => {
    if (Array.isArray(value)) return value.every(add);
    if (isDoc(value)) return [...value.values()].every(add);
    if (typeof value !== 'string' || !value.startsWith('$')) return true;
    if (value.startsWith('$$')) return false;
    fields.add(value.slice(1).split('.')[0] ?? '');
    return true;
  };
  return stage?.[0] === '$group' && add(stage[1]) ? fields : undefined;
}

function* docsOf(run: QueryRun): Generator<Doc> {
  const covered = run.covered();
  if (covered) return yield* covered;
  for (const { doc } of run.matches()) yield doc;
}

function* bytesOf(run: QueryRun): Generator<Buffer> {
  for (const { bytes } of run.matches()) yield bytes;
}
