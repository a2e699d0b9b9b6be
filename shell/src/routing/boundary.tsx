import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** Another value resets the failure, for example a new address. */
  readonly resetOn: unknown;
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly caught: { readonly error: unknown } | undefined;
  readonly resetOn: unknown;
}

/** Contains errors that its children throw while rendering. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { caught: undefined, resetOn: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ resetOn }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return resetOn === state.resetOn ? null : { caught: undefined, resetOn };
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? this.props.fallback(caught.error, () => this.setState({ caught: undefined })) : this.props.children;
  }
}
