import { Button, type EmptyStateProps } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';

/** The column of what can be done with a row. @param cell - its buttons */
export function actionsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { key: 'actions', header: 'Actions', actions: true, align: 'end', cell };
}

/**
 * What a list says if its filters leave nothing.
 *
 * @param things - what it lists: 'orders'
 * @param text - what to try
 * @param showAll - clears the filters
 */
export function noneMatch(things: string, text: string, showAll: () => void): EmptyStateProps {
  return {
    title: `No ${things} match`,
    text,
    action: (
      <Button variant="soft" onClick={showAll}>
        {`Show all ${things}`}
      </Button>
    ),
  };
}
