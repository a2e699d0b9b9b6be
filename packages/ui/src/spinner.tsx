/** @param label - for screen readers; empty if a text beside the spinner says it already */
export function Spinner({ label = 'Loading...', size = 20 }: { readonly label?: string; readonly size?: number }) {
  return (
    <span className="ui-spinner" role={label ? 'status' : undefined} aria-hidden={label ? undefined : true}>
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="9.5" opacity=".2" />
        <path d="M12 2.5a9.5 9.5 0 0 1 9.5 9.5" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
