import { isDoc } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import { isTruthy } from '../query/filter-parser.ts';
import { parseProjection } from '../query/projection.ts';
import { parseUpdate } from '../update/update-parser.ts';
import { collectionName, docArg } from './command.ts';
import type { Handler, Reply } from './command.ts';
import { firstMatch, queryFor, run, updateOne, upsert } from './write.ts';

/** `findAndModify`: updates, replaces, inserts or removes one document and returns it as it was before or after. */
export const findAndModify: Handler = (engine, request) => {
  const { args, db } = request;
  const name = collectionName(request);
  const removing = isTruthy(args.get('remove'));
  const inserts = isTruthy(args.get('upsert'));
  const returnsNew = isTruthy(args.get('new'));
  if (removing && (inserts || returnsNew || args.has('update')))
    throw new CommandError(9, 'Cannot specify an update, upsert or new along with remove=true');
  if (!removing && !args.has('update')) throw new CommandError(9, 'Either an update or remove=true must be specified');
  const change = removing ? undefined : parseUpdate(args.get('update'), args.get('arrayFilters'));
  const query = queryFor(docArg(request, 'query'), args.get('hint'), 1, args.get('sort'));
  const projection = parseProjection(docArg(request, 'fields'));
  const shown = (doc: Value | undefined): Value => (isDoc(doc) ? (projection ? projection(doc) : doc) : null);

  const collection = inserts ? engine.catalogue.ensure(db, name) : engine.catalogue.get(db, name);
  const match = collection && firstMatch(run(engine, request, collection, query));
  if (!collection || !match) {
    if (!collection || !change || !inserts) return answer(removing ? { n: 0 } : { n: 0, updatedExisting: false }, null);
    const { doc } = upsert(engine, request, collection, query, change);
    return answer({ n: 1, updatedExisting: false, upserted: doc.get('_id') }, returnsNew ? shown(doc) : null);
  }
  if (!change) {
    engine.writer.write(collection, match.rid, match, null, request.transaction);
    return answer({ n: 1 }, shown(match.doc));
  }
  const after = updateOne(engine, request, collection, match, change);
  return answer({ n: 1, updatedExisting: true }, shown(returnsNew && after ? after.doc : match.doc));
};

function answer(lastErrorObject: Reply, value: Value): Reply {
  return { lastErrorObject, value, ok: 1 };
}
