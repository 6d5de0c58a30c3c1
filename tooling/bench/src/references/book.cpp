// Two books over the same tape: one of std::map levels and std::list queues, as one would first write it, and one of arrays with
// linked slots, which is about what the machine can do. Reads a tape of int32 operations, prints rounds of seconds, fills and volume.
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

struct Operation { int32_t kind, side, price, size, order; };

struct MapBook {
  struct Order { int32_t number, side, price, size; };
  std::map<int32_t, std::list<Order>> sides[2];
  std::unordered_map<int32_t, std::list<Order>::iterator> orders;
  int64_t fills = 0, volume = 0;
  explicit MapBook(size_t count) { orders.reserve(count); }

  void add(const Operation& taker) {
    int32_t left = taker.size;
    auto& makers = sides[1 - taker.side];
    while (left > 0 && !makers.empty()) {
      auto level = taker.side == 0 ? makers.begin() : std::prev(makers.end());
      if (taker.side == 0 ? level->first > taker.price : level->first < taker.price) break;
      auto& queue = level->second;
      while (left > 0 && !queue.empty()) {
        auto& maker = queue.front();
        int32_t lots = left < maker.size ? left : maker.size;
        ++fills; volume += lots; left -= lots; maker.size -= lots;
        if (maker.size == 0) { orders.erase(maker.number); queue.pop_front(); }
      }
      if (queue.empty()) makers.erase(level);
    }
    if (left == 0) return;
    auto& queue = sides[taker.side][taker.price];
    orders[taker.order] = queue.insert(queue.end(), Order{taker.order, taker.side, taker.price, left});
  }

  void cancel(int32_t number) {
    auto found = orders.find(number);
    if (found == orders.end()) return;
    auto order = found->second;
    auto level = sides[order->side].find(order->price);
    level->second.erase(order);
    if (level->second.empty()) sides[found->second->side].erase(level);
    orders.erase(found);
  }
};

struct ArrayBook {
  static constexpr int32_t PRICES = 1024;
  struct Slot { int32_t size, price, next, previous; };
  std::vector<Slot> slots;
  int32_t head[PRICES], tail[PRICES], best_bid = 0, best_ask = PRICES;
  int64_t fills = 0, volume = 0;
  explicit ArrayBook(size_t count) : slots(count) { memset(head, -1, sizeof head); memset(tail, -1, sizeof tail); }

  int32_t take(int32_t level, int32_t left) {
    int32_t maker = head[level];
    while (maker >= 0 && left > 0) {
      Slot& slot = slots[maker];
      int32_t lots = left < slot.size ? left : slot.size;
      ++fills; volume += lots; left -= lots; slot.size -= lots;
      if (slot.size != 0) return 0;
      head[level] = maker = slot.next;
      if (maker < 0) tail[level] = -1; else slots[maker].previous = -1;
    }
    return left;
  }

  void retreat() {
    while (best_bid > 0 && head[best_bid] < 0) --best_bid;
    while (best_ask < PRICES && head[best_ask] < 0) ++best_ask;
  }

  void add(const Operation& taker) {
    int32_t left = taker.size;
    if (taker.side == 0) while (left > 0 && best_ask <= taker.price) { left = take(best_ask, left); retreat(); }
    else while (left > 0 && best_bid >= taker.price) { left = take(best_bid, left); retreat(); }
    if (left == 0) return;
    int32_t last = tail[taker.price];
    slots[taker.order] = {left, taker.price, -1, last};
    if (last < 0) head[taker.price] = taker.order; else slots[last].next = taker.order;
    tail[taker.price] = taker.order;
    if (taker.side == 0 && taker.price > best_bid) best_bid = taker.price;
    if (taker.side == 1 && taker.price < best_ask) best_ask = taker.price;
  }

  void cancel(int32_t number) {
    Slot& slot = slots[number];
    if (slot.size == 0) return;
    slot.size = 0;
    if (slot.previous < 0) head[slot.price] = slot.next; else slots[slot.previous].next = slot.next;
    if (slot.next < 0) tail[slot.price] = slot.previous; else slots[slot.next].previous = slot.previous;
    if (head[slot.price] < 0) retreat();
  }
};

// Orders are dealt out to the books, a power of two: the low bits of a number say the book, the others the order in it.
template <class Book> void run(std::vector<Operation>& tape, int32_t count) {
  std::vector<Book> books;
  for (int32_t n = 0; n < count; ++n) books.emplace_back(tape.size() / count + 1);
  std::vector<int32_t> book_of;
  int32_t shift = 0;
  while ((1 << shift) < count) ++shift;
  for (auto& operation : tape) {
    book_of.push_back(operation.order & (count - 1));
    operation.order >>= shift;
  }
  const std::clock_t begun = std::clock();
  for (size_t n = 0; n < tape.size(); ++n)
    if (tape[n].kind == 0) books[book_of[n]].add(tape[n]); else books[book_of[n]].cancel(tape[n].order);
  const double seconds = double(std::clock() - begun) / CLOCKS_PER_SEC;
  int64_t fills = 0, volume = 0;
  for (const auto& book : books) { fills += book.fills; volume += book.volume; }
  printf("{\"seconds\":%.9f,\"fills\":%lld,\"volume\":%lld}\n", seconds, (long long)fills, (long long)volume);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  FILE* file = fopen(argv[2], "rb");
  if (!file) return 1;
  std::vector<Operation> tape;
  Operation operation;
  while (fread(&operation, sizeof operation, 1, file) == 1) tape.push_back(operation);
  fclose(file);
  const int32_t count = atoi(argv[3]);
  if (strcmp(argv[1], "map") == 0) run<MapBook>(tape, count); else run<ArrayBook>(tape, count);
}
