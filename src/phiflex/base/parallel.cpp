#include "phiflex/base/parallel.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace phiflex {
namespace {

thread_local bool inside_loop = false;

// Workers sleep until a loop is published, take indices from a shared counter, and report when none is left.
class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(std::ptrdiff_t count, FunctionRef<void(std::ptrdiff_t)> body) {
    std::lock_guard one_loop_at_a_time(loop_mutex_);
    {
      std::lock_guard lock(mutex_);
      body_ = &body;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      running_ = static_cast<int>(workers_.size());
      failure_ = nullptr;
      ++loop_;
    }
    wake_.notify_all();
    take_indices();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return running_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return stopping_ || loop_ != seen; });
      if (stopping_) return;
      seen = loop_;
      lock.unlock();
      take_indices();
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  void take_indices() {
    inside_loop = true;
    try {
      for (std::ptrdiff_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) (*body_)(i);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_loop = false;
  }

  std::vector<std::thread> workers_;
  std::mutex loop_mutex_, mutex_;
  std::condition_variable wake_, done_;
  const FunctionRef<void(std::ptrdiff_t)>* body_ = nullptr;
  std::ptrdiff_t count_ = 0;
  std::atomic<std::ptrdiff_t> next_{0};
  int running_ = 0;
  std::size_t loop_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
};

std::mutex pool_mutex;
std::shared_ptr<ThreadPool> pool;  // empty: one thread

std::shared_ptr<ThreadPool> current_pool() {
  std::lock_guard lock(pool_mutex);
  return pool;
}

// A child that this process forks has no workers: its loops run on one thread until it sets their number. The pool that
// it inherits is never destroyed, since its threads cannot be joined.
void watch_forks() {
  [[maybe_unused]] static std::shared_ptr<ThreadPool>* inherited = nullptr;
  static const int watching = pthread_atfork([] { pool_mutex.lock(); }, [] { pool_mutex.unlock(); },
                                             [] {
                                               inherited = new std::shared_ptr<ThreadPool>(std::move(pool));
                                               pool_mutex.unlock();
                                             });
  (void)watching;
}

}  // namespace

void set_thread_count(int count) {
  if (count < 1) throw std::invalid_argument("set_thread_count: at least one thread is needed");
  if (count == thread_count()) return;
  watch_forks();
  auto fresh = count > 1 ? std::make_shared<ThreadPool>(count) : nullptr;
  std::lock_guard lock(pool_mutex);
  pool.swap(fresh);
}

int thread_count() {
  const auto now = current_pool();
  return now ? now->threads() : 1;
}

LoopsOnThisThread::LoopsOnThisThread() : before_(inside_loop) {
  inside_loop = true;
}
LoopsOnThisThread::~LoopsOnThisThread() {
  inside_loop = before_;
}

void parallel_for(std::ptrdiff_t count, FunctionRef<void(std::ptrdiff_t)> body) {
  const auto now = inside_loop || count < 2 ? nullptr : current_pool();
  if (now) {
    now->run(count, body);
  } else {
    for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
  }
}

}  // namespace phiflex
