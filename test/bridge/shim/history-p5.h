// The history of a p5 account as MQL5 shows it.
#pragma once
#include "web.h"

enum DealType { DEAL_TYPE_BUY, DEAL_TYPE_SELL, DEAL_TYPE_CREDIT = 3 };
enum CanceledDealType { DEAL_TYPE_BUY_CANCELED = 13, DEAL_TYPE_SELL_CANCELED };
enum DealNumber { DEAL_TYPE, DEAL_ENTRY, DEAL_TIME, DEAL_TIME_MSC, DEAL_POSITION_ID };
enum DealAmount { DEAL_PROFIT, DEAL_SWAP, DEAL_COMMISSION, DEAL_FEE, DEAL_VOLUME, DEAL_PRICE };
enum DealText { DEAL_SYMBOL, DEAL_COMMENT };

struct HistoryDeal {
  ulong ticket;
  long type, entry, timeMs, position;
  double profit, swap, commission, fee, volume, price;
  std::string symbol, comment;
};

inline std::vector<HistoryDeal> history;
inline std::vector<const HistoryDeal *> selected;
// The same by their tickets. A selection is made every second: a map would be most of the work.
inline std::vector<const HistoryDeal *> selectedByTicket;
// The selected deal asked for last: an Expert Advisor reads one property of a deal after another.
inline const HistoryDeal *latest = nullptr;

// Histories are nearly always in order as they are.
template <typename Order> void sortBy(std::vector<const HistoryDeal *> &deals, Order isEarlier) {
  if (!std::is_sorted(deals.begin(), deals.end(), isEarlier))
    std::stable_sort(deals.begin(), deals.end(), isEarlier);
}

inline bool hasSmallerTicket(const HistoryDeal *a, const HistoryDeal *b) {
  return a->ticket < b->ticket;
}

// Both ends count. By time, as the terminal sorts them.
inline bool HistorySelect(datetime from, datetime to) {
  selected.clear();
  latest = nullptr;
  for (const HistoryDeal &deal : history)
    if (deal.timeMs >= from * 1000 && deal.timeMs < to * 1000 + 1000) selected.push_back(&deal);
  sortBy(selected, [](const HistoryDeal *a, const HistoryDeal *b) { return a->timeMs < b->timeMs; });
  selectedByTicket = selected;
  sortBy(selectedByTicket, hasSmallerTicket);
  return true;
}

inline int HistoryDealsTotal() { return static_cast<int>(selected.size()); }
inline ulong HistoryDealGetTicket(int index) {
  if (index < 0 || index >= HistoryDealsTotal()) return 0;
  latest = selected[static_cast<size_t>(index)];
  return latest->ticket;
}

inline const HistoryDeal &dealOf(ulong ticket) {
  if (latest && latest->ticket == ticket) return *latest;
  const auto deal = std::lower_bound(
      selectedByTicket.begin(), selectedByTicket.end(), ticket,
      [](const HistoryDeal *other, ulong wanted) { return other->ticket < wanted; });
  if (deal == selectedByTicket.end() || (*deal)->ticket != ticket)
    criticalError("a deal that is not selected");
  latest = *deal;
  return *latest;
}

inline long HistoryDealGetInteger(ulong ticket, DealNumber property) {
  const HistoryDeal &deal = dealOf(ticket);
  switch (property) {
    case DEAL_TYPE: return deal.type;
    case DEAL_ENTRY: return deal.entry;
    case DEAL_TIME: return deal.timeMs / 1000;
    case DEAL_TIME_MSC: return deal.timeMs;
    default: return deal.position;
  }
}

inline double HistoryDealGetDouble(ulong ticket, DealAmount property) {
  const HistoryDeal &deal = dealOf(ticket);
  switch (property) {
    case DEAL_PROFIT: return deal.profit;
    case DEAL_SWAP: return deal.swap;
    case DEAL_COMMISSION: return deal.commission;
    case DEAL_FEE: return deal.fee;
    case DEAL_VOLUME: return deal.volume;
    default: return deal.price;
  }
}

inline string HistoryDealGetString(ulong ticket, DealText property) {
  const HistoryDeal &deal = dealOf(ticket);
  return (property == DEAL_SYMBOL ? deal.symbol : deal.comment).c_str();
}
