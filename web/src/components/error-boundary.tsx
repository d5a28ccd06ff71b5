import { Component, type ReactNode } from 'react';
import { onReconnect } from '../lib/connection.ts';
import { ErrorNote } from './error-note.tsx';

/** A part is shown within its page. */
type Props = { children: ReactNode; isPart?: boolean };
type State = { error: unknown };

/** Prevents a fault of one page, or a part of it, from blanking the rest. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  #forget = (): void => {};

  /** A part of the page that could not be loaded is back when Plimsoll is. */
  override componentDidMount(): void {
    this.#forget = onReconnect(() => {
      if (this.state.error !== undefined) location.reload();
    });
  }

  override componentWillUnmount(): void {
    this.#forget();
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    const { isPart = false } = this.props;
    return (
      <div className={isPart ? '' : 'page'}>
        <ErrorNote
          title={isPart ? 'This part broke.' : 'This page broke.'}
          error={this.state.error}
          retry={() => location.reload()}
        />
      </div>
    );
  }
}
