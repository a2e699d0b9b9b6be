import { joinCalls } from '@clinic/contracts/calls';
import { {{camel}}Routes } from './routes.ts';
import { {{camel}}Schemas } from './schemas.ts';

/** The calls of svc-{{name}} with their schemas. */
export const {{camel}}Calls = joinCalls({{camel}}Routes, {{camel}}Schemas);
