// Shared like the kit itself, but only loaded by pages with tables or records.
export * from './confirm-dialog.tsx';
export * from './data-table.tsx';
export * from './details.tsx';
export * from './row-menu.tsx';
export * from './status-selector.tsx';
export { useTableLayout, type TableLayout } from './table-layout.ts';
